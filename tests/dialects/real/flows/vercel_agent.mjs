// The Vercel AI SDK: an answer whose passages stand in the system prompt. Run from its environment's folder.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(process.cwd() + "/").href);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { NodeTracerProvider, SimpleSpanProcessor } = await load("@opentelemetry/sdk-trace-node");
const { OTLPTraceExporter } = await load("@opentelemetry/exporter-trace-otlp-proto");
const { generateText } = await load("ai");
const { createOpenAI } = await load("@ai-sdk/openai");

const stub = process.env.STUB_URL;
const exporter = new OTLPTraceExporter({ url: `${stub}/v1/traces` });
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
const passages = ["The gate at Oldham lifts eight metres in one minute.", "In 1911 the gate was painted green."];
const numbered = passages.map((text, index) => `[${index + 1}] ${text}`).join("\n");
await generateText({
  model: createOpenAI({ apiKey: "none", baseURL: `${stub}/v1` }).chat("gpt-4o-mini"),
  system: `Answer from the passages; cite as [n].\n${numbered}`,
  prompt: "How high does the gate at Oldham lift?",
  experimental_telemetry: { isEnabled: true, functionId: "ask", metadata: { sessionId: "s-1" } },
});
await provider.forceFlush();
await provider.shutdown();
