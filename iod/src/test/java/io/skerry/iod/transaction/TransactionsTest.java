package io.skerry.iod.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PurgedException;
import io.skerry.iod.rocksdb.RocksProvider;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests requests on a stored container with one process. */
class TransactionsTest {
  private static final Place PLACE = new Place.Tile(1, 0);

  @TempDir Path folder;

  private final RocksProvider engine = new RocksProvider();
  private final Map<Long, Reply> replies = new HashMap<>();
  private final DirectLink link = new DirectLink((_, reply) -> replies.put(reply.id(), reply));
  private EngineLocation location;
  private Container container;
  private Participant participant;
  private Leader leader;
  private long requests;

  @BeforeEach
  void open() {
    location = EngineLocation.of("iod:" + folder.resolve("run"));
    engine.create(location, 2);
    container = engine.open(location, Opening.writing());
    participant = new Participant(container, Conflicts.REFUSED, link.answers(0));
    link.connect(0, participant);
    leader = new Leader(container, new LeaderOptions(1, 3, Durability.BUFFERED, 100, 7), link);
    link.connect(leader);
    participant.join();
    link.deliver();
    assertTrue(leader.isOpen());
  }

  @AfterEach
  void close() {
    container.close();
  }

  private long id() {
    requests++;
    return requests;
  }

  private Reply ask(Request request) {
    leader.receive(request);
    link.deliver();
    return Optional.ofNullable(replies.remove(request.id())).orElseThrow();
  }

  private void refused(Refusal refusal, Request request) {
    Reply.Refused reply = assertInstanceOf(Reply.Refused.class, ask(request));
    assertEquals(refusal, reply.refusal(), reply.message());
  }

  private Ticket start(int client, long number, int clients) {
    Reply reply = ask(new Request.Start(client, id(), number, clients));
    return assertInstanceOf(Reply.Started.class, reply).ticket();
  }

  private void done(Request request) {
    assertInstanceOf(Reply.Done.class, ask(request));
  }

  private Ticket committed(long number) {
    Ticket ticket = start(0, number, 1);
    participant.put(ticket, 0, 1, PLACE, MemorySegment.ofArray(new byte[] {(byte) number}));
    done(new Request.Finish(0, id(), ticket));
    return ticket;
  }

  private ReadContext acquire(VersionChoice choice, long number) {
    Reply reply = ask(new Request.Acquire(1, id(), choice, number));
    return assertInstanceOf(Reply.Acquired.class, reply).context();
  }

  private Optional<Long> found(ReadContext context) {
    return participant.read(
        context,
        1,
        shard -> shard.find(PLACE, context.transaction()).map(version -> version.transaction()));
  }

  @Test
  void versions_are_chosen_exactly_or_in_a_direction() {
    ReadContext empty = acquire(VersionChoice.LAST, 0);
    committed(2);
    committed(5);
    committed(9);
    assertEquals(5, acquire(VersionChoice.EXACT, 5).transaction());
    assertEquals(2, acquire(VersionChoice.PREV, 4).transaction());
    assertEquals(5, acquire(VersionChoice.PREV, 5).transaction());
    assertEquals(9, acquire(VersionChoice.NEXT, 6).transaction());
    assertEquals(9, acquire(VersionChoice.LAST, 1).transaction());
    assertEquals(Optional.of(2L), found(acquire(VersionChoice.NEXT, 1)));
    assertEquals(Optional.empty(), found(empty));
    refused(Refusal.NO_VERSION, new Request.Acquire(1, id(), VersionChoice.EXACT, 4));
    refused(Refusal.NO_VERSION, new Request.Acquire(1, id(), VersionChoice.NEXT, 10));
    refused(Refusal.INVALID, new Request.Acquire(1, id(), VersionChoice.LAST, -1));
  }

  @Test
  void a_version_is_purged_when_no_context_needs_it() {
    committed(1);
    ReadContext first = acquire(VersionChoice.LAST, 0);
    done(new Request.Persist(0, id(), committed(2)));
    assertEquals(Optional.of(1L), found(first));
    assertEquals(1, leader.oldest());
    done(new Request.Release(1, id(), first));
    assertEquals(2, leader.oldest());
    refused(Refusal.PURGED, new Request.Acquire(1, id(), VersionChoice.EXACT, 1));
    assertThrows(PurgedException.class, () -> found(first));
    assertEquals(Optional.of(2L), found(acquire(VersionChoice.PREV, 100)));
  }

  @Test
  void a_transaction_becomes_readable_after_the_lower_ones_that_were_started() {
    Ticket first = start(0, 1, 1);
    Ticket third = committed(3);
    long waiting = id();
    leader.receive(new Request.AwaitReadable(1, waiting, third));
    link.deliver();
    assertFalse(replies.containsKey(waiting));
    assertEquals(TransactionState.FINISHED, leader.state(3));
    done(new Request.Abort(0, id(), first, AbortExtent.ONE));
    assertInstanceOf(Reply.Done.class, replies.get(waiting));
    assertEquals(3, leader.readable());
    assertEquals(TransactionState.ABORTED, leader.state(1));
    assertEquals(TransactionState.SKIPPED, leader.state(2));
    refused(Refusal.STATE, new Request.Start(0, id(), 2, 1));
    refused(Refusal.STATE, new Request.Start(0, id(), 3, 1));
    refused(Refusal.ABORTED, new Request.Persist(0, id(), first));
  }

  @Test
  void all_declared_clients_start_and_finish() {
    Ticket ticket = start(0, 1, 2);
    refused(Refusal.INVALID, new Request.Start(1, id(), 1, 3));
    refused(Refusal.STATE, new Request.Start(0, id(), 1, 2));
    refused(Refusal.STATE, new Request.Finish(1, id(), ticket));
    done(new Request.Finish(0, id(), ticket));
    assertEquals(TransactionState.STARTED, leader.state(1));
    assertEquals(ticket, start(1, 1, 2));
    refused(Refusal.STATE, new Request.Start(2, id(), 1, 2));
    done(new Request.Finish(1, id(), ticket));
    assertEquals(TransactionState.READABLE, leader.state(1));
    refused(Refusal.INVALID, new Request.Start(1, id(), 2, 4));
    refused(Refusal.INVALID, new Request.Start(1, id(), 0, 1));
    refused(Refusal.INVALID, new Request.Start(3, id(), 2, 1));
  }

  @Test
  void a_place_that_two_clients_change_is_refused() {
    Ticket ticket = start(0, 1, 1);
    MemorySegment value = MemorySegment.ofArray(new byte[1]);
    participant.put(ticket, 0, 1, PLACE, value);
    participant.put(ticket, 0, 1, PLACE, value);
    var e = assertThrows(TransactionException.class, () -> participant.remove(ticket, 1, 1, PLACE));
    assertEquals(Refusal.WRITTEN_TWICE, e.refusal());
    done(new Request.Finish(0, id(), ticket));
    var late =
        assertThrows(TransactionException.class, () -> participant.put(ticket, 0, 1, PLACE, value));
    assertEquals(Refusal.STATE, late.refusal());
  }

  @Test
  void skipped_and_aborted_numbers_cannot_be_started() {
    done(new Request.Skip(0, id(), 3, 4));
    done(new Request.Skip(0, id(), 4, 6));
    refused(Refusal.STATE, new Request.Start(0, id(), 6, 1));
    Ticket first = start(0, 1, 1);
    Ticket seventh = start(1, 7, 1);
    refused(Refusal.STATE, new Request.Skip(0, id(), 6, 7));
    refused(Refusal.INVALID, new Request.Skip(0, id(), 9, 8));
    done(new Request.Abort(0, id(), first, AbortExtent.AND_HIGHER));
    refused(Refusal.ABORTED, new Request.Finish(1, id(), seventh));
    refused(Refusal.ABORTED, new Request.Start(1, id(), 7, 1));
    Reply next = ask(new Request.StartNext(0, id()));
    assertEquals(8, assertInstanceOf(Reply.Started.class, next).ticket().number());
  }

  @Test
  void a_lost_client_aborts_what_it_has_not_finished() {
    Ticket both = start(0, 1, 2);
    assertEquals(both, start(1, 1, 2));
    Ticket own = start(0, 2, 1);
    done(new Request.Finish(0, id(), own));
    ReadContext held = acquire(VersionChoice.LAST, 0);
    leader.clientLost(1);
    link.deliver();
    assertEquals(TransactionState.ABORTED, leader.state(1));
    assertEquals(TransactionState.READABLE, leader.state(2));
    refused(Refusal.LOST, new Request.Release(1, id(), held));
    refused(Refusal.LOST, new Request.Start(0, id(), 3, 3));
  }

  @Test
  void a_participant_may_owe_an_answer_before_the_first_time_is_known() {
    Ticket ticket = committed(1);
    leader.receive(new Request.Persist(0, id(), ticket));
    leader.tick(1_000_000);
    assertTrue(leader.isOpen());
    leader.tick(1_000_100);
    assertTrue(leader.isOpen());
    leader.tick(1_000_101);
    assertFalse(leader.isOpen());
  }

  @Test
  void a_silent_participant_counts_as_lost() {
    Ticket ticket = committed(1);
    leader.tick(1000);
    long waiting = id();
    leader.receive(new Request.Persist(0, waiting, ticket));
    leader.tick(1100);
    assertTrue(leader.isOpen());
    leader.tick(1101);
    assertFalse(leader.isOpen());
    Reply.Refused reply = assertInstanceOf(Reply.Refused.class, replies.get(waiting));
    assertEquals(Refusal.LOST, reply.refusal());
    assertTrue(reply.message().contains("process 0 was lost: no answer"), reply.message());
    Reply refused = ask(new Request.Start(0, id(), 5, 1));
    assertEquals(Refusal.NOT_OPEN, assertInstanceOf(Reply.Refused.class, refused).refusal());
    participant.join();
    link.deliver();
    assertTrue(leader.isOpen());
    assertEquals(0, leader.readable());
    refused(Refusal.LOST, new Request.Persist(0, id(), ticket));
    done(new Request.Persist(0, id(), committed(1)));
  }

  @Test
  void a_snapshot_is_persisted_and_opens_by_its_name() {
    committed(3);
    Reply taken = ask(new Request.Snapshot(2, id(), "first"));
    assertEquals(3, assertInstanceOf(Reply.SnapshotTaken.class, taken).transaction());
    assertEquals(3, leader.persisted());
    refused(Refusal.EXISTS, new Request.Snapshot(2, id(), "first"));
    refused(Refusal.INVALID, new Request.Snapshot(2, id(), "../first"));
    done(new Request.Persist(0, id(), committed(4)));
    assertEquals(4, leader.oldest());
    try (Container snapshot = engine.open(location, Opening.ofSnapshot("first"))) {
      assertEquals(3, snapshot.readableMark());
      assertEquals(3, snapshot.shard(1).find(PLACE, 3).orElseThrow().transaction());
    }
  }

  @Test
  void a_client_waits_for_its_replies() {
    TransactionClient client = new TransactionClient(0, request -> ask(request.apply(id())));
    for (long n = 1; n <= 3; n++) {
      Ticket ticket = client.startNext();
      assertEquals(n, ticket.number());
      participant.put(ticket, 0, 1, PLACE, MemorySegment.ofArray(new byte[1]));
      client.finish(ticket);
      client.awaitReadable(ticket);
      ReadContext context = client.acquire(VersionChoice.LAST, 0);
      assertEquals(n, context.transaction());
      client.persist(ticket);
      client.release(context);
      assertEquals(n, container.readableMark());
    }
    client.skip(4, 9);
    Ticket aborted = client.startNext();
    assertEquals(10, aborted.number());
    client.abort(aborted, AbortExtent.ONE);
    assertEquals(TransactionState.ABORTED, leader.state(10));
  }
}
