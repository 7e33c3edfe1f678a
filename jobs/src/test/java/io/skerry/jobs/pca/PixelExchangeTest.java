package io.skerry.jobs.pca;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.jobs.run.Agreement;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.internal.concurrent.Watchdog;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PixelExchangeTest {
  private static final int PIXELS = 1000;
  private static final int FRAMES = 10;

  private static int rounds(long room) {
    PixelSurvey survey = new PixelSurvey(PIXELS);
    Arrays.fill(survey.counts(), FRAMES);
    ActivePixels pixels = new ActivePixels(survey, FRAMES, Centering.NONE);
    Communicator self = Communicator.self();
    try (Watchdog watchdog = new Watchdog(0, System.err)) {
      Agreement agreement = new Agreement(self, watchdog, Path.of("frames.h5"));
      return new PixelExchange(self, agreement, pixels, FRAMES, room).rounds();
    }
  }

  /** A value takes 12 bytes, and the message that contains it takes 16 bytes at the same time. */
  @Test
  void a_round_has_room_for_its_values_and_for_the_messages_with_them() {
    long values = (long) PIXELS * FRAMES;
    assertEquals(1, rounds(28 * values));
    assertEquals(2, rounds(28 * values - 1));
  }
}
