package io.skerry.iod.transaction;

import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.rocksdb.RocksProvider;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs random programs on the shards of the embedded engine. */
class StoredTransactionsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 3", "3, 2", "4, 3", "5, 1"})
  void random_programs_with_crashes_agree_with_a_model(long seed, int processes) {
    EngineLocation location = EngineLocation.of("iod:" + folder.resolve("run"));
    new RandomTransactions(new RocksProvider(), location, seed, processes).run(600);
  }
}
