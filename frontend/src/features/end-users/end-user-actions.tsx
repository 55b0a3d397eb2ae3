import { IconEraser, IconFileExport, IconPencil, IconQrcode, IconTrash } from '@tabler/icons-react';
import type { EndUser } from '../../api/types';
import { RowActions } from '../../shared/ui/row-actions';

export type EndUserTask = 'edit' | 'link' | 'export' | 'erase' | 'delete';

interface EndUserActionsProps {
  endUser: EndUser;
  onStart: (task: EndUserTask, endUser: EndUser) => void;
}

/** The actions on one row of the list. An erased person can only be deleted. */
export function EndUserActions({ endUser, onStart }: EndUserActionsProps) {
  const refusal = endUser.isErased ? 'The personal data was erased' : undefined;
  const inactive = endUser.isActive ? undefined : 'The person is not active';
  const action = (task: EndUserTask) => ({ onClick: () => onStart(task, endUser) });
  return (
    <RowActions
      name={endUser.name}
      actions={[
        { label: 'Edit', icon: IconPencil, refusal, ...action('edit') },
        { label: 'Personal link', icon: IconQrcode, refusal: refusal ?? inactive, ...action('link') },
        { label: 'Export', icon: IconFileExport, refusal, ...action('export') },
        { label: 'Erase personal data', icon: IconEraser, isDangerous: true, refusal, ...action('erase') },
        { label: 'Delete', icon: IconTrash, isDangerous: true, ...action('delete') },
      ]}
    />
  );
}
