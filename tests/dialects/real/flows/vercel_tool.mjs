// The Vercel AI SDK, of either major version: an agent whose retrieval is a tool. Run from its environment.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(process.cwd() + "/").href);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { NodeTracerProvider, SimpleSpanProcessor } = await load("@opentelemetry/sdk-trace-node");
const { OTLPTraceExporter } = await load("@opentelemetry/exporter-trace-otlp-proto");
const { generateText, registerTelemetry, stepCountIs, tool } = await load("ai");
const { createOpenAI } = await load("@ai-sdk/openai");
const { z } = await load("zod");

const stub = process.env.STUB_URL;
const exporter = new OTLPTraceExporter({ url: `${stub}/v1/traces` });
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
const settings = { isEnabled: true, functionId: "ask" };
if (registerTelemetry) {
  const { OpenTelemetry } = await load("@ai-sdk/otel");
  registerTelemetry(new OpenTelemetry());
}
const documents = [
  { id: "gate-1", content: "The gate at Oldham lifts eight metres in one minute.", score: 0.9 },
  { id: "gate-2", content: "In 1911 the gate was painted green.", score: 0.5 },
];
const retrieve = tool({
  description: "Look passages up.",
  inputSchema: z.object({ query: z.string() }),
  execute: async () => documents,
});
await generateText({
  model: createOpenAI({ apiKey: "none", baseURL: `${stub}/v1` }).chat("gpt-4o-mini"),
  prompt: "How high does the gate at Oldham lift?",
  tools: { retrieve },
  stopWhen: stepCountIs(2),
  ...(registerTelemetry ? { telemetry: settings } : { experimental_telemetry: settings }),
});
await provider.forceFlush();
await provider.shutdown();
