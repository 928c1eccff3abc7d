import { Conversation } from './conversation';

export default async function Page({ searchParams }: { readonly searchParams: Promise<{ id?: string }> }) {
  const { id } = await searchParams;
  return <Conversation key={id} conversationId={id ?? 'first'} />;
}
