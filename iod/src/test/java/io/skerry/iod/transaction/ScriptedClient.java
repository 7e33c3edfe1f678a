package io.skerry.iod.transaction;

import java.util.TreeMap;

/** A client that follows a script of a scenario. Not thread-safe. */
final class ScriptedClient {
  private final int number;
  private final TreeMap<Long, Ticket> tickets = new TreeMap<>();
  private int at;
  private int isLost;

  ScriptedClient(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  void lose() {
    isLost = 1;
    tickets.clear();
  }

  /** Forgets its transactions because the leader was lost. */
  void forget() {
    tickets.clear();
  }

  private String[] steps(Scenario scenario) {
    return scenario.scripts().get(number).split(",", -1);
  }

  boolean isActive(Scenario scenario) {
    return isLost == 0 && at < steps(scenario).length;
  }

  /** Executes the next step, and passes by those of transactions that it does not have. */
  void step(World world, Scenario scenario) {
    String[] steps = steps(scenario);
    for (String part : steps[at].split("&", -1)) {
      execute(world, part.split(" ", -1));
    }
    at++;
    while (at < steps.length && isVoid(steps[at].split("[ &]", -1))) {
      at++;
    }
  }

  private boolean isVoid(String[] words) {
    return !words[0].equals("start")
        && !words[0].equals("skip")
        && !tickets.containsKey(Long.parseLong(words[1]));
  }

  private void execute(World world, String[] words) {
    long transaction = Long.parseLong(words[1]);
    long id = world.nextRequest();
    if (words[0].equals("start")) {
      int clients = Integer.parseInt(words[2]);
      if (world.request(new Request.Start(number, id, transaction, clients))
          instanceof Reply.Started started) {
        tickets.put(transaction, started.ticket());
      }
      return;
    }
    if (words[0].equals("skip")) {
      Reply unused =
          world.request(new Request.Skip(number, id, transaction, Long.parseLong(words[2])));
      return;
    }
    Ticket ticket = tickets.get(transaction);
    if (ticket == null) {
      return;
    }
    switch (words[0]) {
      case "write" -> write(world, ticket, words);
      case "finish" -> {
        if (world.request(new Request.Finish(number, id, ticket)) instanceof Reply.Refused) {
          tickets.remove(transaction);
        }
      }
      case "abort" -> abort(world, ticket, AbortExtent.ONE);
      case "abort+" -> abort(world, ticket, AbortExtent.AND_HIGHER);
      case "persist" -> world.requestPersist(number, ticket);
      default -> throw new AssertionError(words[0]);
    }
  }

  private void write(World world, Ticket ticket, String[] words) {
    for (int shard = 0; shard < 2; shard++) {
      boolean wanted = words.length < 3 || Integer.parseInt(words[2]) == shard;
      if (wanted && !world.write(number, ticket, shard)) {
        abort(world, ticket, AbortExtent.ONE);
        return;
      }
    }
  }

  private void abort(World world, Ticket ticket, AbortExtent extent) {
    Reply unused = world.request(new Request.Abort(number, world.nextRequest(), ticket, extent));
    tickets.remove(ticket.number());
  }
}
