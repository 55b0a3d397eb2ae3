import { http } from './server';

const none = { success: true, data: [], meta: { page: 1, pageSize: 50, total: 0 } };

/** A platform without anything for the attention list of super administrators. */
export function nothingToAttend() {
  return [
    http.get('/reports/clients', ({ response }) => response(200).json(none)),
    http.get('/clients', ({ response }) => response(200).json(none)),
    http.get('/accounts', ({ response }) => response(200).json(none)),
    http.get('/test/migrations', ({ response }) =>
      response(200).json({ success: true, message: 'Complete', details: { applied: 30 }, pending: [] }),
    ),
    http.get('/health/ready', ({ response }) => response(200).json({ status: 'ready' })),
    http.get('/auth/second-factor', ({ response }) =>
      response(200).json({ isOn: true, recoveryCodesLeft: 10 }),
    ),
  ];
}
