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
      await pause(wait);
    }
  }

  async json(path, options) {
    return (await this.send(path, options)).json();
  }

  // Call `tell` with the data of every server-sent event of a kind, until the signal ends it. An EventSource would
  // do, but cannot send a key. A connection that breaks is made again after the last event that was received.
  async follow(path, kind, tell, signal) {
    for (let last = null; !signal.aborted; await pause(2)) {
      try {
        const headers = { Accept: "text/event-stream", ...(last && { "Last-Event-ID": last }), ...this.headers };
        const answer = await fetch(this.locate(path), { headers, signal });
        if (answer.status >= 400 && answer.status < 500) return;
        if (!answer.ok) continue;
        for await (const event of readEvents(answer.body)) {
          last = event.id ?? last;
          if (event.event === kind) tell(JSON.parse(event.data));
        }
      } catch (error) {
        if (!signal.aborted) console.warn(error.message);
      }
    }
  }
}

const pause = (seconds) => new Promise((resume) => setTimeout(resume, seconds * 1000));

// The events of a stream, each as its fields: { event, id, data }. They end with an empty line.
export async function* readEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const events = (text + part.value).split("\n\n");
    text = events.pop();
    for (const each of events) yield Object.fromEntries(each.split("\n").map(readField));
  }
}

function readField(line) {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
}

async function readProblem(answer) {
  const problem = await answer.json().catch(() => ({}));
  const text = problem.detail ?? `The server answered ${answer.status}.`;
  return Object.assign(new Error(text), { advice: problem.advice ?? "", status: answer.status });
}
