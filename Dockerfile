# Steward in a container: Node and one bundle, no npm packages, no compiler.
#   docker build -t steward:0.1.0 .
#   docker run --rm --env-file .env steward:0.1.0 doctor
# compose.yaml and deploy/kubernetes run it. Take newer releases of Node 24 in all FROM lines at once.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# Node 24 brings SQLite, so no script has anything to compile.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts ./scripts
COPY src ./src
RUN npm run build && find dist -name '*.map' -delete

FROM node:24.21.0-bookworm-slim
WORKDIR /app
RUN install -d -o 1000 -g 1000 -m 0700 /data
# Of root, so that the process cannot change what it runs.
COPY --from=build --chown=0:0 /build/dist ./dist
COPY --chown=0:0 package.json LICENSE ./
ENV NODE_ENV=production
ENV STEWARD_CONFIG=/etc/steward/steward.yaml
ENV DATABASE_URL=sqlite:/data/steward.db
ENV HEALTH_PORT=8080
VOLUME /data
# Health and metrics; 3000 only in HTTP mode.
EXPOSE 8080 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.HEALTH_PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# In numbers: a cluster that wants no root cannot look names up.
USER 1000:1000
# No shell between: node is process 1 and hears SIGTERM.
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["start"]
