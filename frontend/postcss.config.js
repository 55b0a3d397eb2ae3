import mantine from 'postcss-preset-mantine';
import { viewportFallback } from './build-plugins/viewport-fallback.js';

export default {
  plugins: [mantine(), viewportFallback()],
};
