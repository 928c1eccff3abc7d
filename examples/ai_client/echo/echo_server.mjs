// A model server to try: `node examples/ai_client/echo/echo_server.mjs`, then ECHO_API_KEY=any collab … --advisor
// echo.
import { createServer } from 'node:http';

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { messages } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const said = messages.at(-1).parts.map((part) => part.text ?? part.content ?? '').join('\n');
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  for (const piece of said.match(/[^]{1,40}/gu) ?? []) response.write(`${JSON.stringify({ text: piece })}\n`);
  response.end(`${JSON.stringify({ done: true, usage: { input_tokens: said.length, output_tokens: said.length } })}\n`);
}).listen(8089, '127.0.0.1');
