// Asks sandbox-runtime itself: whether its schema takes a configuration, and what its matcher says of
// each URL. Arguments: the package's `dist` directory, the configuration, a file of URLs.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [dist, config, urls] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(`${dist}/${file}`).href);
const { matchesDomainPatternWithPort } = await load('sandbox/domain-pattern.js');
const { canonicalizeHost, isValidHost } = await load('sandbox/parent-proxy.js');
const { SandboxRuntimeConfigSchema } = await load('sandbox/sandbox-config.js');

const { network } = JSON.parse(readFileSync(config, 'utf8'));
const parsed = SandboxRuntimeConfigSchema.safeParse(JSON.parse(readFileSync(config, 'utf8')));
const issues = parsed.success ? '' : parsed.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; ');
console.log(`schema\t${parsed.success ? 'open' : 'shut'}\t${issues}`);

for (const line of readFileSync(urls, 'utf8').split('\n').filter(Boolean)) {
  const [number, url] = line.split('\t');
  const authority = url.replace(/^http:\/\//, '').replace(/\/$/, '');
  const port = Number(/:(\d+)$/.exec(authority)?.[1] ?? 80);
  const written = authority.replace(/:\d+$/, (p) => (authority.endsWith(']') ? p : ''));
  const bare = written.replace(/^\[|\]$/g, '');
  const host = isValidHost(bare) ? canonicalizeHost(bare) : undefined;
  const hit = (list) => list.some((pattern) => matchesDomainPatternWithPort(host, port, pattern));
  const open = host !== undefined && !hit(network.deniedDomains) && hit(network.allowedDomains);
  console.log(`${number}\t${open ? 'open' : 'shut'}\t${host}`);
}
