package io.skerry.iod.transaction;

import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PurgedException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A leader, two processes with a shard each, clients, and the messages between them. The next step
 * is chosen from outside. Additional fields record what the program must not lose. Process 0 has
 * the leader. Not thread-safe.
 */
final class World implements Link {
  private static final MemorySegment VALUE = MemorySegment.ofArray(new byte[1]);

  private final Setting setting;
  private final List<Outlet> outlets = new ArrayList<>();
  private final List<ModelContainer> disks = new ArrayList<>();
  private final List<Participant> participants = new ArrayList<>();
  private final TreeSet<Integer> down = new TreeSet<>();
  private final TreeSet<Integer> unnoticed = new TreeSet<>();
  private final List<ScriptedClient> clients = new ArrayList<>();
  private final TreeMap<Long, ReadContext> contexts = new TreeMap<>();
  private final TreeMap<Long, Long> expected = new TreeMap<>();
  private final TreeMap<Long, Long> awaited = new TreeMap<>();
  private final List<Reply> replies = new ArrayList<>();
  private Leader leader;
  private long crashes;
  private long lostClients;
  private long toAcquire;
  private long requests;
  private long committed;
  private long persisted;
  private long lastReadable;
  private long lastPersisted;
  private long lastSession;
  private String violation = "";

  /** What does not change; shared by all copies. */
  record Setting(Scenario scenario) {}

  /** The messages to and from a process. */
  static final class Outlet implements Consumer<Answer> {
    final List<Order> orders = new ArrayList<>();
    final List<Answer> answers = new ArrayList<>();

    @Override
    public void accept(Answer answer) {
      answers.add(answer);
    }
  }

  World(Scenario scenario) {
    setting = new Setting(scenario);
    crashes = scenario.crashes();
    lostClients = scenario.lostClients();
    toAcquire = scenario.contexts();
    for (int n = 0; n < 2; n++) {
      outlets.add(new Outlet());
      disks.add(new ModelContainer(n));
      participants.add(participant(n));
    }
    leader = leader(1);
    for (int n = 0; n < scenario.scripts().size(); n++) {
      clients.add(new ScriptedClient(n));
    }
    participants.forEach(Participant::join);
    // The opening is explored with the crashes; without them it is always the same.
    if (scenario.crashes() == 0) {
      for (int n = 0; n < 2; n++) {
        deliverAnswer(n);
        deliverOrder(n);
        deliverAnswer(n);
      }
    }
  }

  private Participant participant(int process) {
    return new Participant(disks.get(process), Conflicts.UNDEFINED, outlets.get(process));
  }

  private Leader leader(long session) {
    int count = setting.scenario().scripts().size();
    LeaderOptions options =
        new LeaderOptions(2, count, setting.scenario().durability(), 1, session);
    lastSession = session;
    return new Leader(disks.get(0), options, this);
  }

  String violation() {
    return violation;
  }

  private void violated(String what) {
    if (violation.isEmpty()) {
      violation = what;
    }
  }

  @Override
  public void send(int process, Order order) {
    if (!down.contains(process)) {
      outlets.get(process).orders.add(order);
    }
  }

  @Override
  public void reply(int client, Reply reply) {
    replies.add(reply);
    Optional<Long> number = Optional.ofNullable(awaited.remove(reply.id()));
    if (number.isPresent() && reply instanceof Reply.Done) {
      if (disks.get(0).readableMark() < number.get() || (committed & bit(number.get())) == 0) {
        violated("persisted is acknowledged too early: " + number.get());
      }
    }
  }

  private boolean hasLeader() {
    return !down.contains(0);
  }

  private static long bit(long number) {
    return 1L << number;
  }

  private static long upTo(long number) {
    return (2L << number) - 1;
  }

  /** Returns the steps that are possible now. */
  List<String> steps() {
    List<String> steps = new ArrayList<>();
    for (int n = 0; n < 2; n++) {
      Outlet outlet = outlets.get(n);
      if (!down.contains(n) && !outlet.orders.isEmpty()) {
        steps.add("order " + n);
      }
      if (hasLeader() && !outlet.answers.isEmpty()) {
        steps.add("answer " + n);
      }
      if (down.contains(n)) {
        steps.add("restart " + n);
      } else if (crashes > 0) {
        steps.add("crash " + n);
        steps.add("power " + n);
      }
    }
    if (hasLeader() && unnoticed.contains(1)) {
      steps.add("notice 1");
    }
    if (!down.contains(1) && unnoticed.contains(0)) {
      steps.add("notice 0");
    }
    for (ScriptedClient client : clients) {
      if (client.isActive(setting.scenario())) {
        if (hasLeader() && leader.isOpen()) {
          steps.add("client " + client.number());
        }
        if (lostClients > 0 && hasLeader()) {
          steps.add("lose " + client.number());
        }
      }
    }
    if (toAcquire > 0 && hasLeader() && leader.isOpen()) {
      steps.add("acquire 0");
    }
    for (long id : contexts.keySet()) {
      steps.add("release " + id);
    }
    return steps;
  }

  /** Executes a step, and checks the invariants afterwards. */
  void step(String step) {
    int number = Integer.parseInt(step.substring(step.indexOf(' ') + 1));
    try {
      switch (step.substring(0, step.indexOf(' '))) {
        case "order" -> deliverOrder(number);
        case "answer" -> deliverAnswer(number);
        case "crash" -> crash(number, false);
        case "power" -> crash(number, true);
        case "restart" -> restart(number);
        case "notice" -> notice(number);
        case "client" -> clients.get(number).step(this, setting.scenario());
        case "lose" -> lose(number);
        case "acquire" -> acquire();
        case "release" -> release(number);
        default -> throw new AssertionError(step);
      }
      observe();
      check();
    } catch (RuntimeException e) {
      violated("an exception: " + e);
    }
  }

  private void deliverOrder(int process) {
    participants.get(process).receive(outlets.get(process).orders.removeFirst());
  }

  private void deliverAnswer(int process) {
    leader.receive(process, outlets.get(process).answers.removeFirst());
  }

  private void crash(int process, boolean powerLost) {
    crashes--;
    down.add(process);
    if (powerLost) {
      disks.get(process).model().losePower();
    } else {
      disks.get(process).model().crash();
    }
    outlets.get(process).orders.clear();
    unnoticed.remove(process == 0 ? 1 : 0);
    unnoticed.add(process);
    if (process == 0) {
      outlets.forEach(outlet -> outlet.orders.clear());
      outlets.forEach(outlet -> outlet.answers.clear());
      contexts.clear();
      expected.clear();
      awaited.clear();
      clients.forEach(ScriptedClient::forget);
    }
  }

  private void restart(int process) {
    down.remove(process);
    outlets.get(process).answers.clear();
    participants.set(process, participant(process));
    if (process == 0) {
      long mark = disks.get(0).readableMark();
      committed &= upTo(mark);
      lastReadable = mark;
      lastPersisted = mark;
      leader = leader(lastSession + 1);
    } else {
      unnoticed.clear();
    }
    participants.get(process).join();
  }

  private void notice(int process) {
    unnoticed.remove(process);
    if (process == 0) {
      outlets.get(1).answers.clear();
      participants.get(1).leaderLost();
    } else {
      leader.lost(1, "test");
    }
  }

  private void lose(int client) {
    lostClients--;
    clients.get(client).lose();
    leader.clientLost(client);
  }

  private void acquire() {
    toAcquire--;
    Reply reply = request(new Request.Acquire(0, nextRequest(), VersionChoice.LAST, 0));
    if (reply instanceof Reply.Acquired acquired) {
      ReadContext context = acquired.context();
      contexts.put(context.id(), context);
      expected.put(context.id(), committed & upTo(context.transaction()));
    }
  }

  private void release(long id) {
    ReadContext context = contexts.remove(id);
    expected.remove(id);
    if (hasLeader()) {
      Reply unused = request(new Request.Release(0, nextRequest(), context));
    }
  }

  long nextRequest() {
    requests++;
    return requests;
  }

  /** Sends a request, and returns the reply to it. */
  Reply request(Request request) {
    replies.clear();
    leader.receive(request);
    Reply reply = replies.stream().filter(r -> r.id() == request.id()).findFirst().orElseThrow();
    replies.clear();
    return reply;
  }

  /** Sends a request whose reply comes later. */
  void requestPersist(int client, Ticket ticket) {
    long id = nextRequest();
    awaited.put(id, ticket.number());
    leader.receive(new Request.Persist(client, id, ticket));
    replies.clear();
  }

  /** Stores the value of a transaction in a shard. Returns whether the process accepted it. */
  boolean write(int client, Ticket ticket, int shard) {
    if (down.contains(shard)) {
      return false;
    }
    try {
      participants.get(shard).put(ticket, client, shard, new Place.Tile(1, 0), VALUE);
      return true;
    } catch (TransactionException e) {
      return false;
    }
  }

  /** Records what the leader has promised. */
  private void observe() {
    replies.clear();
    if (!hasLeader()) {
      return;
    }
    if (leader.session() != lastSession) {
      lastSession = leader.session();
      committed &= upTo(leader.persisted());
      lastReadable = leader.persisted();
    }
    for (long n = 1; n <= leader.readable(); n++) {
      if (n > lastReadable && leader.state(n) == TransactionState.READABLE) {
        committed |= bit(n);
      }
    }
    if (leader.readable() < lastReadable || leader.persisted() < lastPersisted) {
      violated("a mark has gone back");
    }
    lastReadable = leader.readable();
    if (leader.persisted() > lastPersisted) {
      lastPersisted = leader.persisted();
      persisted = committed & upTo(lastPersisted);
    }
  }

  private void check() {
    long mark = disks.get(0).readableMark();
    for (int n = 0; n < 2; n++) {
      ModelShard shard = disks.get(n).model();
      if (shard.durable(mark) != persisted) {
        violated("persisted transactions of shard " + n + " " + shard.durable(mark));
      }
      if (shard.oldest() > mark) {
        violated("purged above the persisted mark: shard " + n);
      }
      boolean inSession =
          hasLeader()
              && leader.isOpen()
              && !down.contains(n)
              && participants.get(n).session() == leader.session();
      if (inSession && shard.visible(leader.readable()) != committed) {
        violated("readable transactions of shard " + n + " " + shard.visible(leader.readable()));
      }
    }
    for (Map.Entry<Long, ReadContext> entry : contexts.entrySet()) {
      for (int n = 0; n < 2; n++) {
        if (!down.contains(n)) {
          checkRead(n, entry.getValue(), expected.get(entry.getKey()));
        }
      }
    }
  }

  private void checkRead(int process, ReadContext context, long wanted) {
    try {
      long found = 0;
      for (int tile = 1; tile < 6; tile++) {
        if (newest(process, context, tile) != 0) {
          found |= bit(tile);
        }
      }
      long top = wanted == 0 ? 0 : Long.numberOfTrailingZeros(Long.highestOneBit(wanted));
      if (found != wanted || newest(process, context, 0) != top) {
        violated("read in shard " + process + " at " + context + ": " + found);
      }
    } catch (TransactionException e) {
      // A version above the persisted mark may be lost with a process.
      if (e.refusal() != Refusal.LOST || setting.scenario().crashes() == crashes) {
        violated("a read is refused: " + e.getMessage());
      }
    } catch (PurgedException e) {
      violated("a version in use is purged: " + e.getMessage());
    }
  }

  private long newest(int process, ReadContext context, int tile) {
    return participants
        .get(process)
        .read(context, process, shard -> shard.find(new Place.Tile(1, tile), context.transaction()))
        .map(version -> version.transaction())
        .orElse(0L);
  }

  /** Checks a state in which no step is possible. */
  void checkEnd() {
    if (!leader.isOpen() || !awaited.isEmpty()) {
      violated("requests are not answered at the end: " + awaited);
    }
    for (ScriptedClient client : clients) {
      if (client.isActive(setting.scenario())) {
        violated("client " + client.number() + " has not ended");
      }
    }
    for (long n = 1; n < 6; n++) {
      TransactionState state = leader.state(n);
      if (state == TransactionState.STARTED || state == TransactionState.FINISHED) {
        violated("transaction " + n + " is " + state + " at the end");
      }
    }
    for (ModelContainer disk : disks) {
      if (disk.model().growing() != 0) {
        violated("changes that never end: " + disk.model().growing());
      }
      if (disk.model().visible(20) != committed) {
        violated("a shard has other transactions at the end: " + disk.model().visible(20));
      }
    }
  }

  @Override
  public String toString() {
    return "committed="
        + committed
        + " persisted="
        + persisted
        + " mark="
        + disks.get(0).readableMark()
        + " readable="
        + lastReadable
        + " session="
        + lastSession
        + " "
        + violation;
  }
}
