import { useState, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Chat } from 'codex-collab/react';

const executor = { user_id: 'user-001', name: 'User', email: 'user@example.com' };

/** The component as an application would use it: each new chat is another conversation. */
function Page(): ReactElement {
  const [chats, count] = useState(1);
  return (
    <Chat tenantId="t" conversationId={`c${chats}`} executor={executor} onNewChat={() => count(chats + 1)} />
  );
}

const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<Page />);
