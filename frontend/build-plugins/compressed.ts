import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|svg)$/;
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/**
 * Writes each script and style also as maximally compressed files. The server sends these, because its own fast
 * compression is a fifth larger.
 */
export function compressed(): Plugin {
  return {
    name: 'plenum-compressed',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.values(bundle).filter(({ fileName }) => TEXT.test(fileName));
        await Promise.all(
          files.map(async (file) => {
            const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
            const [brotli, gzipped] = await Promise.all([
              toBrotli(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
              toGzip(content, { level: constants.Z_BEST_COMPRESSION }),
            ]);
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotli });
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipped });
          }),
        );
      },
    },
  };
}
