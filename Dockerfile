# The lock file decides the versions of all packages, so that each build of a commit has the same. A file of `npm pack` here, as in a
# release, is what the image runs; without one, the image builds the program.
FROM node:22-alpine AS build
WORKDIR /app
COPY . .
RUN if ls crm-sandbox-*.tgz; then npm ci --omit=dev && tar -xzf crm-sandbox-*.tgz --strip-components=1 package/dist; \
  else npm ci && npm run build && npm prune --omit=dev; fi

FROM node:22-alpine
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
RUN ln -s /app/dist/cli.js /usr/local/bin/crm-sandbox && mkdir /data && chown node:node /data
USER node
WORKDIR /data
ENV CRM_SANDBOX_PUBLIC=true
EXPOSE 4010
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s \
  CMD wget -q -O /dev/null "http://127.0.0.1:${CRM_SANDBOX_PORT:-4010}/_sandbox/health" || exit 1
ENTRYPOINT ["crm-sandbox"]
CMD ["serve"]
