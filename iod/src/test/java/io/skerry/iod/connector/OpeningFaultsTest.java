package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.EngineException;
import io.skerry.iod.shipper.Faulty;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Openings of a container by several ranks that fail on one of them. */
@Timeout(60)
class OpeningFaultsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"2, Shard.get", "4, Shard.get", "3, Shard.find", "3, Shard.scan", "3, Shard.list"})
  void a_storage_that_fails_after_the_opening_of_the_shipper_fails_on_all_ranks(
      int ranks, String failing) {
    var path = folder.resolve("c");
    LocalRanks.run(
        ranks,
        world ->
            new IodConnector()
                .open(path, FileAccess.CREATE_NEW, world, FileOptions.standard())
                .close());
    var isFailing = new AtomicBoolean(true);
    var calls = new AtomicInteger();
    var failures = new AtomicInteger();
    LocalRanks.run(
        ranks,
        world -> {
          var connector =
              new IodConnector(
                  ContainerSettings.DEFAULT,
                  source ->
                      new Faulty(
                          source,
                          (shard, method) -> {
                            if (isFailing.get() && method.equals(failing)) {
                              calls.incrementAndGet();
                              throw Faulty.engine(EngineException.Fault.INPUT_OUTPUT, shard);
                            }
                          }));
          try {
            connector.open(path, FileAccess.WRITE, world, FileOptions.standard()).close();
          } catch (CollectiveException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("injected"), e.getMessage());
            failures.incrementAndGet();
          }
          world.barrier();
          isFailing.set(false);
          world.barrier();
          // The container was closed on all ranks.
          connector.open(path, FileAccess.WRITE, world, FileOptions.standard()).close();
        });
    assertEquals(calls.get() == 0 ? 0 : ranks, failures.get());
  }
}
