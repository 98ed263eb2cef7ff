import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'

// `npm run site` builds docs/ into docs/.vitepress/dist, and fails if a link leads nowhere.

/** The pages, in the order of the menu. */
const groups = {
  'Run it': ['serve', 'commands', 'config', 'console', 'control-plane', 'requests', 'faults', 'shared', 'speed'],
  'Use it from': ['cookbook', 'exec', 'testing', 'python', 'java', 'go', 'browser', 'clients', 'assistants', 'ci'],
  'Fill it': ['worlds', 'seed'],
  'Check with it': ['verify', 'observe', 'learn', 'compare', 'sweep', 'operations', 'assumptions'],
  'The project': ['contributing', 'dependencies'],
}

const docs = join(import.meta.dirname, '..')

const titleOf = (page) => /^# (.+)$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8'))?.[1] ?? page

export default defineConfig({
  title: 'crm-sandbox',
  description: 'A mock server for the CRM Integrator REST API, and a contract suite for any server',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    languageAlias: { haproxy: 'ini' },
    // {{name}} in the code of a page is a merge field, not an expression of Vue. Blocks of code have v-pre already.
    config: ({ renderer, utils }) => {
      renderer.rules.code_inline = (tokens, at) => `<code v-pre>${utils.escapeHtml(tokens[at].content)}</code>`
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: Object.entries(groups).map(([text, pages]) => ({
      text,
      items: pages.map((page) => ({ text: titleOf(page), link: `/${page}` })),
    })),
  },
  // Coding assistants read llms.txt, and the pages that it links to as Markdown.
  buildEnd({ outDir }) {
    copyFileSync(join(docs, '../mock/console/icon.svg'), join(outDir, 'icon.svg'))
    const texts = readdirSync(docs).filter((name) => /\.(?:md|txt)$/.test(name))
    for (const file of [...texts, 'skills/crm-sandbox/SKILL.md']) {
      copyFileSync(join(docs, file), join(outDir, file))
    }
  },
})
