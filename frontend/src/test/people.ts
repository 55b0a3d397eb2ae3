import type { User } from '../api/types';

export const superAdmin: User = {
  id: 'a0000000-0000-7000-8000-000000000001',
  email: 'root@plenum.test',
  role: 'SUPER_ADMIN',
  clientId: null,
  clientCode: null,
  clientName: null,
  name: 'Rosa Root',
  username: null,
};

export const clientAdmin: User = {
  id: 'a0000000-0000-7000-8000-000000000002',
  email: 'anna@riverside.test',
  role: 'CLIENT',
  clientId: 'c0000000-0000-7000-8000-000000000001',
  clientCode: 'riverside',
  clientName: 'Riverside Housing Cooperative',
  name: 'Anna Berg',
  username: null,
};

export const voter: User = {
  id: 'e0000000-0000-7000-8000-000000000001',
  email: 'vera.lind@riverside.test',
  role: 'END_USER',
  clientId: 'c0000000-0000-7000-8000-000000000001',
  clientCode: 'riverside',
  clientName: 'Riverside Housing Cooperative',
  name: 'Vera Lind',
  username: 'vera',
};
