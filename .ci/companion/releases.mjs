// The companion on the oldest and the newest PHP that it is for, of which Debian has neither: PHP as WebAssembly, with the functions of
// WordPress that it calls in stubs.php. It has to call them alike on both, and any warning or deprecation of PHP is an error.
import { PHP, loadPHPRuntime } from '@php-wasm/universal';
import { readFileSync } from 'node:fs';

const [companion, stubs] = process.argv.slice(2).map((path) => readFileSync(path));
const said = [];
for (const release of ['7.4', '8.4']) {
  const { getPHPLoaderModule } = await import(`@php-wasm/node-${release.replace('.', '-')}`);
  const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule('asyncify'), {}));
  php.writeFile('/companion.php', companion);
  php.writeFile('/stubs.php', stubs);
  const { text, errors } = await php.run({ scriptPath: '/stubs.php' });
  const version = (await php.run({ code: '<?php echo PHP_VERSION;' })).text;
  if (errors || !text.endsWith('done\n') || !version.startsWith(release)) {
    console.error(`PHP ${version} says ${errors}\n${text}`);
    process.exit(1);
  }
  console.log(`PHP ${version}: ${text.split('\n').length - 2} calls`);
  said.push(text);
}
if (said[0] !== said[1]) {
  console.error(`they call otherwise:\n${said.join('\n')}`);
  process.exit(1);
}
process.exit(0);
