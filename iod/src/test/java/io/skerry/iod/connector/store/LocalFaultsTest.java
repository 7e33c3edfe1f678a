package io.skerry.iod.connector.store;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.Transactions;
import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.connector.tile.CellTiles;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.shipper.ContainerSource;
import io.skerry.iod.shipper.Faulty;
import io.skerry.iod.transaction.TransactionException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures of the engine while a single rank has a file open. */
class LocalFaultsTest {
  private static final int SHARDS = 2;

  @TempDir Path folder;

  private final AtomicReference<String> fault = new AtomicReference<>("");

  private EngineLocation location() {
    return new EngineLocation("iod", folder.resolve("c").toString());
  }

  @BeforeEach
  void create() {
    var unused = Engines.of(location()).create(location(), SHARDS);
    try (Container container = Engines.of(location()).open(location(), Opening.writing())) {
      LocalStore.createRoot(container, ChecksumLevel.STORE);
    }
  }

  private void fail(int shard, String method) {
    if (method.equals(fault.get())) {
      throw Faulty.engine(EngineException.Fault.INPUT_OUTPUT, shard);
    }
  }

  private static Session open(Container container) {
    FileRanks ranks = FileRanks.open(Communicator.self(), Operation.OPEN_FILE, "c", "");
    ContainerStore store = LocalStore.writing(ranks, container, ChecksumLevel.STORE, () -> 0);
    ranks.leave();
    return new Session(Path.of("c"), FileAccess.WRITE, store, ranks, new CellTiles());
  }

  /** Runs a program on a session, and closes what it has left open. */
  private void onSession(Consumer<Session> program) {
    ContainerSource source =
        new Faulty(ContainerSource.of(location(), Opening.writing()), this::fail);
    try (Container container = source.open(Set.of(0, 1))) {
      Session session = open(container);
      program.accept(session);
      fault.set("");
      new LocalStatus().attempt(session::discard);
    }
  }

  private static void put(Session session) {
    boolean unused =
        session.changeHere(
            Operation.WRITE,
            "tiles",
            changes -> {
              changes.put(
                  new Place.Tile(ObjectId.of(ObjectType.ARRAY, 77).bits(), 0),
                  MemorySegment.ofArray(new byte[10]));
              return true;
            });
  }

  @Test
  void versions_that_cannot_be_persisted_are_a_collective_failure() {
    onSession(session -> {
      FileTransactions transactions = session.transactions();
      long begun = transactions.begin();
      put(session);
      fault.set("Container.advance");
      long unused = transactions.finish();
      var failure = assertThrows(CollectiveException.class, transactions::persist);
      assertInstanceOf(TransactionException.class, failure.getCause(), "transaction " + begun);
    });
  }

  @Test
  void changes_that_cannot_be_flushed_by_a_persist_are_a_failed_commit() {
    onSession(session -> {
      put(session);
      fault.set("Container.advance");
      assertThrows(CommitException.class, session.transactions()::persist);
    });
  }

  @Test
  void a_first_transaction_that_cannot_begin_is_a_collective_failure() {
    onSession(session -> {
      FileTransactions transactions = session.transactions();
      Session version = transactions.open(Transactions.Version.last(), new CellTiles());
      put(session);
      session.flush();
      // The version is purged when it is closed. After a failure, all requests are refused.
      fault.set("Shard.purge");
      version.close();
      for (int round = 0; round < 2; round++) {
        var beginning = assertThrows(CollectiveException.class, transactions::begin);
        assertInstanceOf(TransactionException.class, beginning.getCause());
        var advance = assertThrows(CollectiveException.class, transactions::advance);
        assertInstanceOf(TransactionException.class, advance.getCause());
        assertFalse(transactions.isDelimited(), "transactions of the program");
      }
    });
  }

  @Test
  void a_container_that_cannot_be_closed_is_a_collective_failure() {
    for (Consumer<Session> closing : List.<Consumer<Session>>of(Session::close, Session::discard)) {
      onSession(session -> {
        put(session);
        fault.set("Container.close");
        var failure = assertThrows(CollectiveException.class, () -> closing.accept(session));
        assertInstanceOf(EngineException.class, failure.getCause());
      });
    }
  }
}
