import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The counts at one second, sums in kobo. `books`: the lines of the comparison at the end. */
export type Shown = {
  second: number;
  answered: number;
  again: number;
  charged: number;
  chargedKobo: number;
  promised: number;
  sold: number;
  soldKobo: number;
  back: number;
  backKobo: number;
  lost: number;
  oversold: number;
  kills: Record<string, number>;
  lies: number;
  books?: string[];
};

/** A page at a local address that draws the counts as they come, and the kills. `port` 0 takes a free one. */
export async function openPage(port: number) {
  const sent: string[] = [];
  const watching = new Set<ServerResponse>();
  function send(event: "show" | "mark", data: unknown): void {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    sent.push(text);
    for (const response of watching) response.write(text);
  }
  let second = 0;
  const server = createServer(({ url }, response) => {
    if (url !== "/live") return void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
    response.writeHead(200, { "content-type": "text/event-stream" }).write(sent.join(""));
    watching.add(response);
    response.on("close", () => watching.delete(response));
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    show(now: Shown): void {
      second = now.second;
      send("show", now);
    },
    mark: (victim: string) => send("mark", { second, victim }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The shop while everything breaks</title>
<style>
  body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #17211b; background: #fbf9f4 }
  h1 { font-size: 1.75rem; margin: 0 }
  dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 1rem; margin: 1.5rem 0 }
  dl div { border-top: 3px solid #17211b; padding-top: .5rem }
  dt { color: #56615a } dd { margin: 0; font-size: 2rem; font-weight: 700; font-variant-numeric: tabular-nums }
  .good dd { color: #14633c } .bad dd { color: #b3261e }
  svg { width: 100%; height: 16rem; background: #fff; border: 1px solid #e2ddd0 }
  .key span::before { content: ""; display: inline-block; width: 1.5em; height: 3px; margin: 0 .4em .25em 1em; background: currentColor }
  pre { background: #fff; border: 1px solid #e2ddd0; padding: 1rem; overflow: auto }
</style>
<h1>The shop while everything breaks</h1>
<p id="now">Waiting for the first buyers …</p>
<dl id="counts"></dl>
<svg viewBox="0 0 1000 250" preserveAspectRatio="none" role="img" aria-label="Charged, sold and paid back over time, with the kills"></svg>
<p class="key"><span style="color:#b78a1d">charged</span><span style="color:#14633c">sold</span><span style="color:#2f5fa8">paid back</span>
<span style="color:#d99a94">killed</span></p>
<pre hidden></pre>
<script>
  const rows = [], marks = [], svg = document.querySelector("svg"), live = new EventSource("/live");
  const count = (name, value, look = "") => '<div class="' + look + '"><dt>' + name + "</dt><dd>" + value + "</dd></div>";
  const line = (key, color, width, most) => '<polyline fill="none" vector-effect="non-scaling-stroke" stroke="' + color + '" stroke-width="2.5" points="' +
    rows.map((row) => row.second / width * 1000 + "," + (245 - row[key] / most * 235)).join(" ") + '"/>';
  function draw() {
    const now = rows.at(-1);
    if (!now) return;
    const width = Math.max(now.second, 60), most = Math.max(now.charged, 10);
    document.getElementById("now").textContent = now.books ? "Over. The books of both sides:" :
      now.second + " s: " + Object.entries(now.kills).map(([victim, times]) => victim + " killed " + times + " times").join(", ") +
      "; " + now.lies + " payments that the provider lied about; " + now.again + " presses that had to be repeated.";
    document.getElementById("counts").innerHTML = count("pages answered", now.answered) + count("charged", now.charged) + count("promised", now.promised) +
      count("sold", now.sold) + count("paid back", now.back) +
      count("lost", now.lost, now.lost ? "bad" : "good") + count("oversold", now.oversold, now.oversold ? "bad" : "good");
    svg.innerHTML = marks.map(({ second }) => '<line vector-effect="non-scaling-stroke" stroke="#d99a94" x1="' + second / width * 1000 + '" x2="' + second / width * 1000 + '" y1="0" y2="250"/>').join("") +
      line("charged", "#b78a1d", width, most) + line("sold", "#14633c", width, most) + line("back", "#2f5fa8", width, most);
    const books = document.querySelector("pre");
    if (now.books) books.hidden = false, books.textContent = now.books.join("\\n"), live.close();
  }
  live.addEventListener("show", ({ data }) => { rows.push(JSON.parse(data)); draw(); });
  live.addEventListener("mark", ({ data }) => { marks.push(JSON.parse(data)); draw(); });
</script>
`;
