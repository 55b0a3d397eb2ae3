/* The styles of the Mantine components that every portal uses, in Mantine's own order (later ones depend on earlier
   ones). They are in a cascade layer, so that a component's own CSS module always wins. Add a new component here if
   voters see it, otherwise to portal-styles.ts: every phone loads this file. */
import '@fontsource-variable/inter/wght.css';
import '../shared/theme/font-fallback.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Loader.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/Button.layer.css';
import '@mantine/core/styles/Notification.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import '@mantine/core/styles/Skeleton.layer.css';
import '../shared/theme/global.css';
import '../shared/theme/start.css';
