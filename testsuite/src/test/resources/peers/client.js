// Sends one request with http or fetch (undici) and prints the status and the length of the response.
const http = require("http");
const [kind, url, method, expect] = process.argv.slice(2);
const body = method === "POST" ? Buffer.alloc(10 << 20, "x") : undefined;

if (kind === "fetch") {
  fetch(url, { method, body })
    .then(async (res) => console.log(res.status, (await res.arrayBuffer()).byteLength))
    .catch((e) => console.log("error", e.cause ? e.cause : e));
} else {
  const headers = body ? { "content-length": body.length } : {};
  if (expect) headers.expect = "100-continue";
  let answered = false;
  const req = http.request(url, { method, headers }, (res) => {
    answered = true;
    let length = 0;
    res.on("data", (piece) => (length += piece.length));
    res.on("end", () => {
      console.log(res.statusCode, length);
      process.exit(0);
    });
    res.on("error", (e) => console.log("error", e.message));
  });
  req.on("error", (e) => {
    if (!answered) console.log("error", e.message);
  });
  if (expect) {
    req.on("continue", () => req.end(body));
    req.flushHeaders();
  } else {
    req.end(body);
  }
}
