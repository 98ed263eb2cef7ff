// Written by `npm run spec:build` from control/*.yaml: change those.

export const routes = {
  getHealth: { method: 'GET', path: '/_sandbox/health' },
  getControlDocument: { method: 'GET', path: '/_sandbox/openapi.json' },
  resetSandbox: { method: 'POST', path: '/_sandbox/reset' },
  createTeam: { method: 'POST', path: '/_sandbox/teams' },
  listTeams: { method: 'GET', path: '/_sandbox/teams' },
  getTeam: { method: 'GET', path: '/_sandbox/teams/{teamId}' },
  deleteTeam: { method: 'DELETE', path: '/_sandbox/teams/{teamId}' },
  signToken: { method: 'POST', path: '/_sandbox/tokens' },
  approveTemplate: { method: 'POST', path: '/_sandbox/templates/{templateId}/approve' },
  rejectTemplate: { method: 'POST', path: '/_sandbox/templates/{templateId}/reject' },
  releaseBulkSends: { method: 'POST', path: '/_sandbox/bulk-sends/release' },
  findRequests: { method: 'GET', path: '/_sandbox/requests' },
  clearRequests: { method: 'DELETE', path: '/_sandbox/requests' },
  countRequests: { method: 'GET', path: '/_sandbox/requests/count' },
  waitForRequest: { method: 'GET', path: '/_sandbox/requests/wait' },
  verifyRequests: { method: 'GET', path: '/_sandbox/requests/verify' },
  followRequests: { method: 'GET', path: '/_sandbox/requests/follow' },
  getRequest: { method: 'GET', path: '/_sandbox/requests/{requestId}' },
} as const
