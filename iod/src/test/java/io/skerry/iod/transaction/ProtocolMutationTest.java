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
   * @param scenario the scenario that finds it
   * @param file the source file
   * @param text a text that occurs once in it
   * @param replacement what replaces it
   */
  record Mutation(String name, String scenario, String file, String text, String replacement) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Mutation> mutations() {
    return List.of(
        new Mutation(
            "advances before all processes have prepared",
            "leader mode",
            "Numbers.java",
            "state != TransactionState.STARTED && awaited.isEmpty()",
            "state != TransactionState.STARTED && awaited.size() < 2"),
        new Mutation(
            "purges a version in use",
            "leader mode",
            "Contexts.java",
            "Math.min(lowest, persisted)",
            "persisted + 0 * lowest"),
        new Mutation(
            "ignores a lower transaction that was started",
            "leader mode",
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
            "leader mode with a crash",
            "Participant.java",
            "if (transaction > mark) {",
            "if (transaction > mark && shard.number() == 0) {"),
        new Mutation(
            "persists one of the shards",
            "leader mode",
            "Progress.java",
            "persist.begin(readable, members.all())",
            "persist.begin(readable, java.util.Set.of(0))"),
        new Mutation(
            "does not wait for the removal of aborted changes",
            "abort",
            "Numbers.java",
            "transaction.abort();\n            transaction.await(processes);",
            "transaction.abort();\n            transaction.await(Set.of());"),
        new Mutation(
            "purges what a recovery needs",
            "leader mode",
            "Progress.java",
            "contexts.purge(persisted())",
            "contexts.purge(numbers.readable())"),
        new Mutation(
            "accepts changes of an earlier session",
            "late changes after a crash",
            "Participant.java",
            "ticket.session() != session",
            "ticket.session() > session"),
        new Mutation(
            "accepts changes of an aborted transaction",
            "abort of higher ones by another client",
            "Participant.java",
            "number <= readable || ended.contains(number)",
            "number <= readable"),
        new Mutation(
            "keeps read contexts of lost versions valid",
            "leader mode with a crash",
            "Participant.java",
            "session == 0 || context.session() != session",
            "session == 0"),
        new Mutation(
            "keeps transactions of lost clients",
            "two clients in each transaction",
            "Leader.java",
            "numbers.beyond(lostClients, options.clients())",
            "numbers.beyond(Set.of(), options.clients())"));
  }

  @ParameterizedTest
  @MethodSource("mutations")
  void the_exploration_finds_a_break(Mutation mutation) throws Exception {
    String found =
        MutatedProtocol.firstViolation(
            mutation.scenario(), mutation.file(), mutation.text(), mutation.replacement());
    System.out.println(mutation + ": " + found);
    assertFalse(found.isEmpty(), mutation.name());
  }
}
