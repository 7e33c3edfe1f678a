package io.skerry.jobs.detector;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/**
 * A picture of a frame and its kept pixels: those that {@code lcls} stores. The left panel shows
 * all pixels in gray on a logarithmic scale, and masked pixels in dark blue. The right panel shows
 * the kept pixels only, in color on a dark background. A panel has at most {@value #LARGEST} pixels
 * per side; where a pixel of the panel represents several pixels of the frame, it shows the
 * brightest of them, so that no spot disappears.
 */
public final class FramePicture {
  private static final int LARGEST = 1200;
  private static final int GAP = 8;
  private static final int MASKED = 0x101840;
  private static final int DARK = 0x0c0c10;
  private static final int SEPARATOR = 0x404040;

  private final PixelFrame frame;
  private final boolean[] kept;
  private final int step;
  private final int height;
  private final int width;
  private final double low;
  private final double scale;

  private FramePicture(PixelFrame frame, int[] keptPixels) {
    this.frame = frame;
    kept = new boolean[frame.rows() * frame.columns()];
    for (int pixel : keptPixels) {
      kept[pixel] = true;
    }
    step = Math.ceilDiv(Math.max(frame.rows(), frame.columns()), LARGEST);
    height = Math.ceilDiv(frame.rows(), step);
    width = Math.ceilDiv(frame.columns(), step);
    float least = Float.POSITIVE_INFINITY;
    float most = Float.NEGATIVE_INFINITY;
    for (float pixel : frame.intensities()) {
      if (!Float.isNaN(pixel)) {
        least = Math.min(least, pixel);
        most = Math.max(most, pixel);
      }
    }
    low = least;
    scale = most > least ? 1 / Math.log1p((double) most - least) : 0;
  }

  /**
   * Draws a frame and its kept pixels.
   *
   * @param keptPixels the linear indices of the kept pixels
   */
  public static BufferedImage of(PixelFrame frame, int[] keptPixels) {
    return new FramePicture(frame, keptPixels).draw();
  }

  /**
   * Writes the picture as a PNG file. An existing file is overwritten; a symbolic link is refused.
   *
   * @param keptPixels the linear indices of the kept pixels
   * @throws UncheckedIOException if the path is a symbolic link, or if the file cannot be written
   */
  public static void write(Path png, PixelFrame frame, int[] keptPixels) {
    try (OutputStream to =
        Files.newOutputStream(png, CREATE, TRUNCATE_EXISTING, WRITE, NOFOLLOW_LINKS)) {
      if (!ImageIO.write(of(frame, keptPixels), "png", to)) {
        throw new IOException("this Java cannot write PNG");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the picture: file=" + png, e);
    }
  }

  private BufferedImage draw() {
    var image = new BufferedImage(2 * width + GAP, height, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        drawPixel(image, y, x);
      }
      for (int x = width; x < width + GAP; x++) {
        image.setRGB(x, y, SEPARATOR);
      }
    }
    return image;
  }

  private void drawPixel(BufferedImage image, int y, int x) {
    float brightest = Float.NaN;
    float brightestKept = Float.NaN;
    for (int row = y * step; row < Math.min(frame.rows(), (y + 1) * step); row++) {
      for (int column = x * step; column < Math.min(frame.columns(), (x + 1) * step); column++) {
        int at = row * frame.columns() + column;
        float pixel = frame.at(at);
        brightest = brighter(brightest, pixel);
        if (kept[at]) {
          brightestKept = brighter(brightestKept, pixel);
        }
      }
    }
    image.setRGB(x, y, Float.isNaN(brightest) ? MASKED : gray(level(brightest)));
    int right = Float.isNaN(brightestKept) ? DARK : warm(level(brightestKept));
    image.setRGB(width + GAP + x, y, right);
  }

  /** Returns the larger of two intensities, ignoring a masked pixel; NaN if both are masked. */
  private static float brighter(float one, float other) {
    if (Float.isNaN(one)) {
      return other;
    }
    return other > one ? other : one;
  }

  /** Returns the brightness of a pixel, from 0 (the darkest of the frame) to 1 (the brightest). */
  private double level(float pixel) {
    return Math.log1p(pixel - low) * scale;
  }

  private static int gray(double level) {
    return 0x010101 * (int) Math.round(255 * level);
  }

  /**
   * Returns the color of a brightness level, from red through orange to pale yellow. The color of
   * level 0 is brighter than the background.
   */
  private static int warm(double level) {
    int red = (int) Math.round(120 + 135 * Math.min(1, 2 * level));
    int green = (int) Math.round(30 + 220 * level);
    int blue = (int) Math.round(200 * level * level);
    return red << 16 | green << 8 | blue;
  }
}
