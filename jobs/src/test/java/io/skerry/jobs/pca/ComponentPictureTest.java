package io.skerry.jobs.pca;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import org.junit.jupiter.api.Test;

class ComponentPictureTest {
  private static boolean has(BufferedImage image, int color) {
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        if ((image.getRGB(x, y) & 0xffffff) == color) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void colors_are_symmetric_about_white() {
    assertEquals(0xffffff, ComponentPicture.color(0));
    for (double level : new double[] {0.01, 0.3, 0.7, 1}) {
      int red = ComponentPicture.color(level);
      int blue = ComponentPicture.color(-level);
      assertEquals(red >> 16, blue & 0xff);
      assertEquals(red & 0xff, blue >> 16);
      assertTrue(red >> 16 > (red & 0xff));
    }
  }

  @Test
  void one_spot_of_a_large_component_is_drawn() {
    double[] component = new double[2000 * 1000];
    component[1_234_567] = -0.5;
    component[77] = 0.5;
    ComponentPicture picture = new ComponentPicture(2000, 1000);
    picture.add(component, 0.5);
    BufferedImage image = picture.draw(new double[] {0.5, 0.25});
    assertTrue(has(image, ComponentPicture.color(1)));
    assertTrue(has(image, ComponentPicture.color(-1)));
    assertTrue(image.getWidth() < 2000 && image.getHeight() < 2000, image.toString());
  }

  @Test
  void small_components_are_magnified_and_an_empty_picture_can_be_drawn() {
    ComponentPicture picture = new ComponentPicture(1, 3);
    for (int i = 0; i < 5; i++) {
      picture.add(new double[] {0, i, -i}, 0.2);
    }
    BufferedImage image = picture.draw(new double[] {0.2, 0.2, 0.2, 0.2, 0.2});
    assertTrue(image.getWidth() > 500, image.toString());
    assertTrue(has(image, ComponentPicture.color(1)));
    BufferedImage empty = new ComponentPicture(4, 4).draw(new double[0]);
    assertTrue(empty.getWidth() > 0 && empty.getHeight() > 0);
  }
}
