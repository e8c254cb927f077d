// Requests to a wavefold server: JSON in, JSON or a picture out, problem documents as errors.

export class Server {
  constructor(address, key) {
    this.address = address.replace(/\/$/, "");
    this.headers = key ? { Authorization: `Bearer ${key}` } : {};
  }

  // The address of a path below /api/v1; answers link to whole paths.
  locate(path) {
    return this.address + (path.startsWith("/api/") ? path : `/api/v1${path}`);
  }

  // The answer to a request. A busy server (503) is asked again when it says, if asking twice is harmless.
  async send(path, { method = "GET", body, signal } = {}) {
    const headers = { ...this.headers };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    for (let attempt = 0; ; attempt++) {
      const answer = await fetch(this.locate(path), { method, headers, signal, body: JSON.stringify(body) });
      if (answer.ok) return answer;
      const wait = Number(answer.headers.get("Retry-After"));
      if (answer.status !== 503 || method !== "GET" || !wait || attempt >= 5) throw await readProblem(answer);
      await new Promise((resume) => setTimeout(resume, wait * 1000));
    }
  }

  async json(path, options) {
    return (await this.send(path, options)).json();
  }
}

async function readProblem(answer) {
  const problem = await answer.json().catch(() => ({}));
  const text = problem.detail ?? `The server answered ${answer.status}.`;
  return Object.assign(new Error(text), { advice: problem.advice ?? "", status: answer.status });
}
