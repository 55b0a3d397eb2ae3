import './styles';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { basePath } from '../api/base-path';
import { Providers } from './providers';
import { createQueryClient } from './query-client';
import { routes } from './routes';
import { registerServiceWorker } from './service-worker';

const root = document.getElementById('root');
if (!root) {
  throw new Error('index.html has no #root');
}

createRoot(root).render(
  <StrictMode>
    <Providers queryClient={createQueryClient()}>
      <RouterProvider router={createBrowserRouter(routes, { basename: basePath || '/' })} />
    </Providers>
  </StrictMode>,
);

if (import.meta.env.PROD) {
  registerServiceWorker();
}
