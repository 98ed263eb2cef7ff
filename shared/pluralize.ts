/** Such as `1 guess` or `2 guesses`. */
export const pluralize = (count: number, one: string, several = `${one}s`) => `${count} ${count === 1 ? one : several}`
