/** How far an operation reaches, from least to most: it reads, writes, leaves for the messaging platform, reaches a person. */
export const effects = ['read', 'write', 'platform', 'send'] as const

export type Effect = (typeof effects)[number]
