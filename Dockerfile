# One image, five commands: gateway, runner, tool-worker, session-svc, migrate. Only what every builder knows is used, the
# one before BuildKit included: no COPY --chmod, no RUN --mount.
# A base named by its digest makes a build the same for ever: --build-arg NODE_IMAGE=node@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Of the packages that are optional and those that scripts fetch, all are the embedded servers of `npm start`.
RUN npm ci --omit=optional --ignore-scripts --no-audit
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY apps apps
COPY libs libs
RUN npx nest build gateway && rm -rf dist/libs/testing dist/.tsbuildinfo && find dist -name '*.map' -delete
# Compiler and bundler are among the dependencies because `npm start` compiles; here that is done. Removing takes nothing that the
# lock file does not name. Half of what is left are types and maps, which nothing reads.
RUN npm pkg delete dependencies.@nestjs/cli dependencies.typescript dependencies.esbuild \
 && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit \
 && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete
# Files keep the modes of the checkout, which may be closed to others: everybody may read these, whatever its umask was.
COPY tools/image/*.mjs tools/image/
COPY examples/agents /agents
RUN chmod -R u=rwX,go=rX package.json dist tools /agents

FROM ${NODE_IMAGE}
WORKDIR /app
# A volume takes its owner from the folder it is mounted at for the first time.
RUN mkdir -m 0700 /data /data/payloads /data/reads && chown -R 1000:1000 /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/tools tools
COPY --from=build /agents /agents
# Room for what the turns under way hold (docs/adr/0030).
ENV NODE_OPTIONS=--max-semi-space-size=64
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 HEALTH_PORT=8001 AGENTS_DIR=/agents DATA_DIR=/data
EXPOSE 8000 8001
ARG REVISION=unknown
LABEL org.opencontainers.image.title=skein org.opencontainers.image.revision=${REVISION}
# By number, so that an orchestrator that refuses root can see that it is not.
USER 1000:1000
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/app/tools/image/healthcheck.mjs"]
# Between two turns it keeps its memory (docs/adr/0033); no variable takes that.
ENTRYPOINT ["node", "--gc-memory-reducer-start-delay-ms=300000", "/app/tools/image/start.mjs"]
CMD ["gateway"]
