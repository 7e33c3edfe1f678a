package io.skerry.jobs.frame;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shape of a stack of frames, each of {@code rows} × {@code columns} pixels. A frame has at
 * most 2^31-1 pixels.
 */
public record FrameShape(long frames, int rows, int columns) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,12})x(\\d{1,9})x(\\d{1,9})");

  public FrameShape {
    if (frames < 1 || rows < 1 || columns < 1 || (long) rows * columns > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "no such stack of frames: frames=%d rows=%d columns=%d".formatted(frames, rows, columns));
    }
  }

  /**
   * Parses {@code FRAMESxROWSxCOLUMNS}, such as {@code 64x1024x1024}.
   *
   * @throws IllegalArgumentException if the text does not have this form, or if a size is out of
   *     range
   */
  public static FrameShape parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not FRAMESxROWSxCOLUMNS: shape=" + text);
    }
    return new FrameShape(
        Long.parseLong(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        Integer.parseInt(matcher.group(3)));
  }

  /** Returns the number of pixels in one frame. */
  public int framePixels() {
    return rows * columns;
  }

  @Override
  public String toString() {
    return frames + "x" + rows + "x" + columns;
  }
}
