/* What the sign-in of accounts needs beyond app/styles.ts. */
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
