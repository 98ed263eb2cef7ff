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
} as const
