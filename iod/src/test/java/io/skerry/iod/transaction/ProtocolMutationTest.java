package io.skerry.iod.transaction;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the exploration finds deliberate breaks of the protocol. */
class ProtocolMutationTest {
  /**
   * A deliberate break.
   *
   * @param name what is broken
   * @param file the source file
   * @param text a text that occurs once in it
   * @param replacement what replaces it
   */
  record Mutation(String name, String file, String text, String replacement) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Mutation> mutations() {
    return List.of(
        new Mutation(
            "advances before all processes have prepared",
            "StartedTransaction.java",
            "state != TransactionState.STARTED && awaited.isEmpty()",
            "state != TransactionState.STARTED && awaited.size() < 2"),
        new Mutation(
            "purges a version in use",
            "Contexts.java",
            "Math.min(lowest, persisted)",
            "persisted + 0 * lowest"),
        new Mutation(
            "ignores a lower transaction that was started",
            "Numbers.java",
            "while (!started.isEmpty() && started.firstEntry().getValue().isSettled()) {\n"
                + "      Map.Entry<Long, StartedTransaction> first = started.pollFirstEntry();",
            """
                for (Map.Entry<Long, StartedTransaction> first :
                    new TreeMap<>(started).entrySet()) {
                  if (!first.getValue().isSettled()) {
                    continue;
                  }
                  started.remove(first.getKey());
            """),
        new Mutation(
            "forgets the rollback of one shard",
            "Participant.java",
            "if (transaction > mark) {",
            "if (transaction > mark && shard.number() == 0) {"),
        new Mutation(
            "persists one of the shards",
            "Leader.java",
            "persist.begin(readable(), members.all())",
            "persist.begin(readable(), Set.of(0))"),
        new Mutation(
            "does not wait for the removal of aborted changes",
            "Numbers.java",
            "transaction.abort();\n        transaction.await(processes);",
            "transaction.abort();\n        transaction.await(Set.of());"),
        new Mutation(
            "purges what a recovery needs",
            "Leader.java",
            "contexts.purge(persisted())",
            "contexts.purge(readable())"),
        new Mutation(
            "accepts changes of an earlier session",
            "Participant.java",
            "ticket.session() != session",
            "ticket.session() > session"),
        new Mutation(
            "accepts changes of an aborted transaction",
            "Participant.java",
            "number <= readable || ended.contains(number)",
            "number <= readable"),
        new Mutation(
            "counts answers of an earlier session",
            "Leader.java",
            "answer.session() != members.session() || ",
            ""),
        new Mutation(
            "keeps read contexts of lost versions valid",
            "Participant.java",
            "context.session() == session || context.transaction() <= mark",
            "true"),
        new Mutation(
            "keeps transactions of lost clients",
            "Leader.java",
            "numbers.beyond(lostClients, options.clients())",
            "numbers.beyond(Set.of(), options.clients())"),
        new Mutation(
            "keeps the readable mark when a process is lost",
            "Numbers.java",
            "readable = mark;\n  }\n}",
            "}\n}"));
  }

  @ParameterizedTest
  @MethodSource("mutations")
  void the_exploration_finds_a_break(Mutation mutation) throws Exception {
    String found =
        MutatedProtocol.firstViolation(mutation.file(), mutation.text(), mutation.replacement());
    System.out.println(mutation + ": " + found);
    assertFalse(found.isEmpty(), mutation.name());
  }
}
