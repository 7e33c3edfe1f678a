package io.skerry.integration.randomprogram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.internal.file.NativeConnector;
import io.skerry.internal.log.LoggingConnector;
import java.nio.file.Path;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs random programs through a connector that logs each call. */
class LoggedProgramsTest {
  /** {@code -Pslow} increases this number. */
  private static final int PROGRAMS = Integer.getInteger("skerry.connector.programs", 2);

  @TempDir Path folder;

  @Test
  void random_programs_leave_the_same_content_through_a_connector() {
    for (long seed = 2000; seed < 2000 + PROGRAMS; seed++) {
      String plain = RandomProgramRun.of(seed).onThreads(folder.resolve("plain.h5"));
      CountedLog log = new CountedLog();
      LoggingConnector logging = new LoggingConnector(new NativeConnector(), log);
      String logged =
          RandomProgramRun.of(seed).through(logging).onThreads(folder.resolve("logged.h5"));
      assertEquals(plain, logged, "seed=" + seed);
      assertTrue(log.lines.sum() > 0, "seed=" + seed);
    }
  }

  /** A logger that counts its lines; ranks that are threads may log concurrently. */
  private static final class CountedLog implements System.Logger {
    private final LongAdder lines = new LongAdder();

    @Override
    public String getName() {
      return "counted";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      lines.increment();
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... arguments) {
      lines.increment();
    }
  }
}
