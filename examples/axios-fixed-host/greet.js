import axios from 'axios'

const crm = axios.create({
  baseURL: 'https://crm.example.com',
  headers: { 'x-api-key': process.env.CRM_API_KEY ?? 'demo-key' },
})

/** Sends a greeting to somebody, and returns the id of the conversation that it went to. */
export async function greet(email) {
  const { data: found } = await crm.post('/api/conversations/getConversationByPhoneAndEmail', { email })
  const conversationId = found.data._id
  await crm.post('/api/messages/sendEmailMessage', {
    channel: 'email',
    conversationId,
    subject: 'Hello',
    content: 'Hello',
    providerId: 'email-provider',
  })
  return conversationId
}
