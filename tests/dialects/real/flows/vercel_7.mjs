// The Vercel AI SDK 7 with its OpenTelemetry integration: an agent whose retrieval is a tool.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(process.cwd() + "/").href);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { NodeTracerProvider, SimpleSpanProcessor } = await load("@opentelemetry/sdk-trace-node");
const { OTLPTraceExporter } = await load("@opentelemetry/exporter-trace-otlp-proto");
const { generateText, registerTelemetry } = await load("ai");
const { OpenTelemetry } = await load("@ai-sdk/otel");
const { createOpenAI } = await load("@ai-sdk/openai");

const stub = process.env.STUB_URL;
const exporter = new OTLPTraceExporter({ url: `${stub}/v1/traces` });
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
registerTelemetry(new OpenTelemetry());
const passages = ["The gate at Oldham lifts eight metres in one minute.", "In 1911 the gate was painted green."];
const numbered = passages.map((text, index) => `[${index + 1}] ${text}`).join("\n");
await generateText({
  model: createOpenAI({ apiKey: "none", baseURL: `${stub}/v1` }).chat("gpt-4o-mini"),
  system: `Answer from the passages; cite as [n].\n${numbered}`,
  prompt: "How high does the gate at Oldham lift?",
  telemetry: { isEnabled: true, functionId: "ask" },
});
await provider.forceFlush();
await provider.shutdown();
