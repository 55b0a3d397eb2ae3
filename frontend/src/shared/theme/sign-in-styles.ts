/* The styles of the account sign-in that app/styles.ts does not include. */
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
