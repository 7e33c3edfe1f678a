package io.skerry.jobs.pca;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/**
 * A picture that shows components in rows of up to four, above a chart of the share of the variance
 * that each component explains. Values above zero are red and values below zero are blue; each
 * component has its own scale, symmetric about zero. Where a pixel of the picture represents
 * several pixels of a component, it shows the value farthest from zero, so that no spot disappears.
 */
final class ComponentPicture {
  /** The maximum number of components in a picture. */
  static final int MOST = 16;

  private static final int LARGEST = 400;
  private static final int SMALLEST = 240;
  private static final int GAP = 12;
  private static final int TITLE = 22;
  private static final int ACROSS = 4;
  private static final int CHART_HEIGHT = 280;
  private static final int CHART_WIDTH = 560;
  private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);

  /** The exponent of the color scale; with 1, most values would be too pale. */
  private static final double GAMMA = 0.5;

  private final int rows;
  private final int columns;
  private final int step;
  private final int zoom;
  private final List<BufferedImage> panels = new ArrayList<>();
  private final List<String> titles = new ArrayList<>();

  /** Creates an empty picture for components with the given numbers of rows and columns. */
  ComponentPicture(int rows, int columns) {
    this.rows = rows;
    this.columns = columns;
    int longer = Math.max(rows, columns);
    step = Math.ceilDiv(longer, LARGEST);
    zoom = Math.max(1, Math.ceilDiv(SMALLEST, longer));
  }

  /** Throws an exception or error if the Java runtime finds no font. */
  static void checkFont() {
    Graphics2D graphics = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
    graphics.getFontMetrics(FONT).stringWidth("component");
    graphics.dispose();
  }

  /**
   * Adds a component.
   *
   * @param component the elements of the component in row-major order
   * @param ratio the share of the variance that the component explains, from 0 to 1
   */
  void add(double[] component, double ratio) {
    double largest = Arrays.stream(component).map(Math::abs).max().orElse(0);
    panels.add(panel(component, largest));
    titles.add(
        String.format(
            Locale.ROOT,
            "component %d: %.2f %%, scale ±%.2g",
            panels.size(),
            100 * ratio,
            largest));
  }

  private BufferedImage panel(double[] component, double largest) {
    int height = Math.ceilDiv(rows, step);
    int width = Math.ceilDiv(columns, step);
    var image = new BufferedImage(width * zoom, height * zoom, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        double value = farthest(component, y / zoom * step, x / zoom * step);
        image.setRGB(x, y, color(largest > 0 ? value / largest : 0));
      }
    }
    return image;
  }

  private double farthest(double[] component, int top, int left) {
    double farthest = 0;
    for (int row = top; row < Math.min(rows, top + step); row++) {
      for (int column = left; column < Math.min(columns, left + step); column++) {
        double value = component[row * columns + column];
        farthest = Math.abs(value) > Math.abs(farthest) ? value : farthest;
      }
    }
    return farthest;
  }

  /** Returns the color of a level: white for 0, dark red for 1, dark blue for -1. */
  static int color(double level) {
    double strength = Math.pow(Math.abs(level), GAMMA);
    int fading = (int) Math.round(255 * (1 - strength));
    int full = (int) Math.round(255 - 90 * Math.max(0, 2 * strength - 1));
    return level < 0 ? fading << 16 | fading << 8 | full : full << 16 | fading << 8 | fading;
  }

  /**
   * Writes the picture as a PNG file. An existing file is overwritten; a symbolic link is refused.
   *
   * @param ratios the shares of the variance that the leading components explain, including
   *     components that are not drawn
   * @throws UncheckedIOException if the path is a symbolic link, or if the file cannot be written
   */
  void write(double[] ratios, Path png) {
    try (OutputStream to =
        Files.newOutputStream(png, CREATE, TRUNCATE_EXISTING, WRITE, NOFOLLOW_LINKS)) {
      if (!ImageIO.write(draw(ratios), "png", to)) {
        throw new IOException("this Java cannot write PNG");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the picture: file=" + png, e);
    }
  }

  /** Draws the picture, with the chart of the given shares of the variance. */
  BufferedImage draw(double[] ratios) {
    int panelWidth = panels.isEmpty() ? 0 : panels.getFirst().getWidth();
    int panelHeight = panels.isEmpty() ? 0 : panels.getFirst().getHeight();
    int cell = Math.max(panelWidth, SMALLEST) + GAP;
    int across = Math.clamp(panels.size(), 1, ACROSS);
    int down = Math.ceilDiv(panels.size(), across);
    int width = Math.max(GAP + across * cell, CHART_WIDTH + 2 * GAP);
    int chartTop = GAP + down * (panelHeight + TITLE + GAP);
    var image = new BufferedImage(width, chartTop + CHART_HEIGHT + GAP, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setFont(FONT);
    for (int i = 0; i < panels.size(); i++) {
      int left = GAP + i % across * cell;
      int top = GAP + i / across * (panelHeight + TITLE + GAP);
      graphics.setColor(Color.BLACK);
      graphics.drawString(titles.get(i), left, top + TITLE - 7);
      graphics.drawImage(panels.get(i), left, top + TITLE, null);
      graphics.setColor(Color.GRAY);
      graphics.drawRect(left - 1, top + TITLE - 1, panelWidth + 1, panelHeight + 1);
    }
    if (ratios.length > 0) {
      BufferedImage chart = BitmapEncoder.getBufferedImage(chart(ratios, width - 2 * GAP));
      graphics.drawImage(chart, GAP, chartTop, null);
    }
    graphics.dispose();
    return image;
  }

  private static CategoryChart chart(double[] ratios, int width) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(width)
            .height(CHART_HEIGHT)
            .title("explained variance")
            .xAxisTitle("component")
            .yAxisTitle("%")
            .build();
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisMin(0.0);
    chart.addSeries(
        "variance",
        IntStream.rangeClosed(1, ratios.length).boxed().toList(),
        Arrays.stream(ratios).map(ratio -> 100 * ratio).boxed().toList());
    return chart;
  }
}
