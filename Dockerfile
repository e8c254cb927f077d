# wavefold serve in a container: as a user without rights, on a read-only file system.
#
#   docker build -t wavefold .
#   docker volume create wavefold-data
#   docker run --rm -v wavefold-data:/data wavefold keys create first --scope write
#   docker run --read-only --tmpfs /tmp -v wavefold-data:/data -p 8317:8317 wavefold \
#       serve --host 0.0.0.0 --allow-host maps.example.org

FROM python:3.13-slim AS build
WORKDIR /source
RUN apt-get update \
    && apt-get install --yes --no-install-recommends make npm \
    && pip install --no-cache-dir build
COPY pyproject.toml hatch_build.py README.md LICENSE Makefile ./
COPY tools/studio ./tools/studio
COPY src ./src
COPY server ./server
# three.js for the studio's view of blocks, which the server's wheel contains.
RUN make bundles
# The build compiles the kernels into the wheel. It installs the compiler and the linker by itself.
RUN python -m build --wheel --outdir /wheels . && python -m build --wheel --outdir /wheels server

FROM python:3.13-slim
ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    WAVEFOLD_SERVICE_DATA=/data
RUN useradd --system --uid 10001 --home-dir /nonexistent --shell /usr/sbin/nologin wavefold \
    && install -d -o wavefold -g wavefold -m 0750 /data
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl \
    && rm -r /wheels \
    && python -m compileall -q "$(python -c 'import site; print(site.getsitepackages()[0])')"
USER wavefold
WORKDIR /
VOLUME /data
EXPOSE 8317
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8317/healthz', timeout=2)"]
ENTRYPOINT ["wavefold"]
CMD ["serve", "--host", "0.0.0.0"]
