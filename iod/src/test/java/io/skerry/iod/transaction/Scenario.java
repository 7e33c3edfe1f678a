package io.skerry.iod.transaction;

import io.skerry.iod.engine.Durability;
import java.util.List;

/**
 * A bounded program for exhaustive tests.
 *
 * @param name the name
 * @param scripts the steps of each client, such as {@code "start 1 2"} (number, clients), {@code
 *     "write 1"}, {@code "write 1 0"} (only in shard 0), {@code "finish 1"}, {@code "abort 1"},
 *     {@code "abort+ 1"}, {@code "persist 1"}, {@code "skip 1 2"}
 * @param durability how transactions are prepared
 * @param contexts how many read contexts are acquired
 * @param crashes how many processes are lost
 * @param lostClients how many clients are lost
 */
record Scenario(
    String name,
    List<String> scripts,
    Durability durability,
    int contexts,
    int crashes,
    int lostClients) {
  /** Returns the scenario of a name. */
  static Scenario of(String name) {
    return all().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  /** A scenario with millions of states, which {@link Explorer#main} visits. */
  static Scenario large() {
    return new Scenario(
        "three transactions with a crash",
        List.of(
            "start 1 1,write 1,finish 1,start 3 1,write 3,finish 3",
            "start 2 1,write 2,finish 2,persist 2"),
        Durability.BUFFERED,
        1,
        1,
        0);
  }

  /** Returns the scenarios of the tests. */
  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "leader mode",
            List.of(
                "start 1 1,write 1,finish 1,start 3 1,write 3,finish 3",
                "start 2 1,write 2,finish 2,persist 2"),
            Durability.BUFFERED,
            1,
            0,
            0),
        new Scenario(
            "leader mode with a crash",
            List.of("start 1 1&write 1,finish 1&persist 1", "start 2 1&write 2,finish 2"),
            Durability.BUFFERED,
            1,
            1,
            0),
        new Scenario(
            "two clients in each transaction",
            List.of(
                "start 1 2,write 1,finish 1,start 2 2,write 2,finish 2,persist 2",
                "start 1 2,write 1,finish 1,start 2 2,write 2,finish 2"),
            Durability.SYNCED,
            1,
            0,
            1),
        new Scenario(
            "abort",
            List.of(
                "start 1 1&write 1 1,write 1 0,finish 1,abort 1,start 3 1&write 3,finish 3",
                "start 2 1&write 2,finish 2,persist 2"),
            Durability.SYNCED,
            1,
            0,
            0),
        new Scenario(
            "abort with a crash",
            List.of("start 1 1&write 1,abort 1", "start 2 1&write 2,finish 2,persist 2"),
            Durability.SYNCED,
            1,
            1,
            0),
        new Scenario(
            "abort of higher ones by another client",
            List.of(
                "start 1 2,write 1,finish 1,start 2 1,write 2,finish 2",
                "skip 3 5,start 1 2,write 1 0,write 1 1,abort+ 1"),
            Durability.BUFFERED,
            1,
            0,
            0),
        new Scenario(
            "late changes after a crash",
            List.of("start 1 1,write 1 0,write 1 1,finish 1"),
            Durability.BUFFERED,
            0,
            1,
            0),
        new Scenario(
            "numbers used again after a crash",
            List.of("start 1 1&write 1 0,write 1 1,finish 1,start 1 1&write 1,finish 1&persist 1"),
            Durability.BUFFERED,
            1,
            2,
            0));
  }
}
