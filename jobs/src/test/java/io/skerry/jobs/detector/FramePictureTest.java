package io.skerry.jobs.detector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FramePictureTest {
  private static final int BLACK = 0xff000000;
  private static final int WHITE = 0xffffffff;
  private static final int MASKED = 0xff101840;
  private static final int DARK = 0xff0c0c10;

  @Test
  void the_left_panel_shows_the_frame_and_the_right_one_the_kept_pixels() {
    PixelFrame frame = Frames.ofFloats(2, 3, 10, 10, Float.NaN, 60, 1010, 10);
    BufferedImage image = FramePicture.of(frame, new int[] {4});
    assertEquals(2 * 3 + 8, image.getWidth());
    assertEquals(2, image.getHeight());
    assertEquals(BLACK, image.getRGB(0, 0));
    assertEquals(WHITE, image.getRGB(1, 1));
    assertEquals(MASKED, image.getRGB(2, 0));
    int between = image.getRGB(0, 1) & 0xff;
    assertTrue(between > 100 && between < 200, "logarithmic, gray=" + between);
    assertEquals(DARK, image.getRGB(11, 0));
    assertEquals(DARK, image.getRGB(11, 1));
    assertEquals(0xfffffac8, image.getRGB(12, 1));
  }

  @Test
  void a_large_frame_is_reduced_without_losing_spots() {
    float[] pixels = new float[3000 * 500];
    pixels[1501 * 500 + 251] = 900;
    BufferedImage image =
        FramePicture.of(Frames.ofFloats(3000, 500, pixels), new int[] {1501 * 500 + 251});
    assertEquals(1000, image.getHeight());
    assertEquals(2 * 167 + 8, image.getWidth());
    assertEquals(WHITE, image.getRGB(83, 500));
    assertNotEquals(DARK, image.getRGB(167 + 8 + 83, 500));
  }

  @Test
  void a_constant_or_fully_masked_frame_can_be_drawn() {
    assertEquals(BLACK, FramePicture.of(Frames.ofFloats(1, 2, 7, 7), new int[0]).getRGB(0, 0));
    float masked = Float.NaN;
    assertEquals(MASKED, FramePicture.of(Frames.ofFloats(1, 1, masked), new int[0]).getRGB(0, 0));
  }

  @Test
  void the_picture_is_written_as_png(@TempDir Path folder) throws IOException {
    Path png = folder.resolve("f.png");
    FramePicture.write(png, Frames.ofFloats(1, 2, 1, 9), new int[] {1});
    assertEquals(WHITE, ImageIO.read(png.toFile()).getRGB(1, 0));
    Path nowhere = folder.resolve("no/such/f.png");
    PixelFrame frame = Frames.ofFloats(1, 1, 1);
    var e =
        assertThrows(
            UncheckedIOException.class, () -> FramePicture.write(nowhere, frame, new int[0]));
    assertEquals("cannot write the picture: file=" + nowhere, e.getMessage());
  }
}
