# Three stages: build with all dependencies, install those of production, and an image that holds nothing else.

# By tag, so that building anew brings the security updates of Node and Debian. For builds that are the same each time give a digest:
#   docker buildx imagetools inspect node:24-bookworm-slim        # prints the present one as "Digest: sha256:…"
#   docker build --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… -t parapet .
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# Without the folders of the workspaces nothing of theirs is installed.
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src src
COPY benchmarks/accuracy benchmarks/accuracy
RUN npm run build

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# "yes" keeps what models of TensorFlow.js need (docs/tensorflow.md).
ARG TENSORFLOW=no
# onnxruntime-node carries its library for every platform; the image needs one.
RUN npm ci --omit=dev \
 && find node_modules/onnxruntime-node/bin/napi-v6 -mindepth 1 -maxdepth 1 -not -name linux -exec rm -r {} + \
 && find node_modules/onnxruntime-node/bin/napi-v6/linux -mindepth 1 -maxdepth 1 -not -name "$(node -p process.arch)" -exec rm -r {} + \
 && if [ "$TENSORFLOW" != yes ]; then \
      npm uninstall --no-save --omit=dev @tensorflow-models/toxicity @tensorflow-models/universal-sentence-encoder \
        @tensorflow/tfjs-backend-wasm @tensorflow/tfjs-converter @tensorflow/tfjs-core; \
    fi

FROM ${NODE_IMAGE}
# glibc's allocator, left to itself, takes some 30 MB more for the same load: a pool for each thread.
# The service turns off the reports of ONNX Runtime by itself; here also for what else is run in the image.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 KEYS_FILE=/data/keys.json MALLOC_ARENA_MAX=2 ORT_DISABLE_TELEMETRY=1
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY models/parapet-multi models/parapet-multi
COPY models/parapet-en models/parapet-en
RUN ln -s /app/dist/src/cli/parapet.js /usr/local/bin/parapet && mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/v1/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# For more than eight cores say "parapet start --processes auto" in its place (docs/operations/README.md).
# V8, left to itself, lets its heap grow to three times what is in use (docs/decisions/0043-garbage.md).
CMD ["node", "--enable-source-maps", "--heap-growing-percent=25", "--max-semi-space-size=4", "dist/src/server.js"]
