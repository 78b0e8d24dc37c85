// Counts what holds and what does not, and waits for conditions with a deadline.

let passed = 0
let failed = 0

/** Runs one check; a failing one is told with its cause and hides none of the others. */
export async function check(name, body) {
  const began = performance.now()
  try {
    await within(120_000, body())
    passed += 1
    console.log(`ok      ${name} (${Math.round(performance.now() - began)} ms)`)
  } catch (error) {
    failed += 1
    console.log(`FAILED  ${name}\n        ${indented(error)}`)
  }
}

/** Prints the closing line and gives the exit code. */
export function close() {
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 && passed > 0 ? 0 : 1
}

/** The promise's value, or an error after so many milliseconds. */
export function within(milliseconds, promise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${milliseconds} ms`)), milliseconds)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Asks again and again until the answer is truthy, and gives it. */
export async function eventually(what, ask, milliseconds = 20_000) {
  const end = performance.now() + milliseconds
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > end) throw new Error(`${what}: not so within ${milliseconds} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function indented(error) {
  return String(error?.stack ?? error).replaceAll('\n', '\n        ')
}
