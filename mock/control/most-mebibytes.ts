/** The largest requests to the control plane: those that may hold a world, and all others. */
export const mostMebibytes = { ofWorld: 32, ofOthers: 1 }
