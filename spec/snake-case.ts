// No group repeats in it: that would overflow the stack of the engine on a name of megabytes.
export const isSnakeCase = (name: string) => /^[a-z0-9_]+$/.test(name) && !/^_|__|_$/.test(name)
