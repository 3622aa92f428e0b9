// The loop that every judge runs: one JSON request a line on standard input,
// one JSON answer a line on standard output, in order.
//
// A request has an id and an op; the answer repeats the id and has either the
// fields that the op's handler returned or an error. Whatever a handler
// throws is such an answer: only the end of the input ends the process.

// maxLineBytes is the same limit as maxLineBytes in judge.go.
const maxLineBytes = 64 << 20

// serve answers requests until the input ends. handlers maps an op to a
// function, which may be async, from the request to the answer's fields.
export async function serve(handlers) {
  for await (const line of lines(process.stdin)) {
    const answer = line === null
      ? { error: `a request of more than ${maxLineBytes} bytes` }
      : await answerTo(line, handlers)
    await send(JSON.stringify(answer) + '\n')
  }
}

async function answerTo(line, handlers) {
  let id
  try {
    const request = JSON.parse(line)
    id = request.id
    if (!Object.hasOwn(handlers, request.op)) throw new Error(`no op ${request.op}`)
    return { id, ...await handlers[request.op](request) }
  } catch (err) {
    // Libraries throw texts and errors without a message too.
    return { id, error: String(err?.message || err || 'unnamed error') }
  }
}

// lines yields the lines of a stream, and null in place of one that is longer
// than the limit. The standard readline module also ends lines at separators
// that JSON allows inside strings, and has no limit.
async function * lines(stream) {
  let parts = []
  let lengthBytes = 0
  for await (const chunk of stream) {
    let from = 0
    for (let end; (end = chunk.indexOf(10, from)) >= 0; from = end + 1) {
      parts.push(chunk.subarray(from, end))
      lengthBytes += end - from
      yield lengthBytes > maxLineBytes ? null : Buffer.concat(parts).toString('utf8')
      parts = []
      lengthBytes = 0
    }
    lengthBytes += chunk.length - from
    if (lengthBytes > maxLineBytes) parts = []
    else parts.push(chunk.subarray(from))
  }
}

async function send(text) {
  await new Promise((resolve, reject) => {
    process.stdout.write(text, err => err ? reject(err) : resolve())
  })
}
