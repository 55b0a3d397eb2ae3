import { IconWifiOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { offlineNotices, useIsOnline } from '../offline';
import classes from './offline-notice.module.css';

/** A line above the page while the browser is offline. */
export function OfflineNotice() {
  useEffect(() => offlineNotices.add(), []);
  const isOnline = useIsOnline();
  return (
    <div role="status" className={classes.region}>
      {isOnline ? null : (
        <p className={classes.root}>
          <IconWifiOff className={classes.icon} size={18} stroke={1.75} aria-hidden="true" />
          <span>
            You are offline. This page may be out of date, and nothing can be saved until the connection is
            back.
          </span>
        </p>
      )}
    </div>
  );
}
