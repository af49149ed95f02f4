//! BERT on the processor: from the numbers of pieces of words to a vector each.
//!
//! One text at a time and without padding, so that a short text costs little and no mask is needed.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice, Zip};

use super::weights::Weights;

/// How a model is laid out.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub(super) n_layers: usize,
    pub(super) n_heads: usize,
    pub(super) width: usize,
    pub(super) inner_width: usize,
    pub(super) n_positions: usize,
    pub(super) epsilon: f32,
}

/// A table of weights and what is added behind it.
struct Linear {
    /// As kept: a row for each number that comes out.
    weight: Array2<f32>,
    bias: Array1<f32>,
}

struct Norm {
    weight: Array1<f32>,
    bias: Array1<f32>,
    epsilon: f32,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: Norm,
    inner: Linear,
    outer: Linear,
    outer_norm: Norm,
}

/// The model.
pub(super) struct Bert {
    words: Array2<f32>,
    positions: Array2<f32>,
    /// Kinds of texts; only the first is used.
    kind: Array1<f32>,
    norm: Norm,
    layers: Vec<Layer>,
    n_heads: usize,
}

impl Bert {
    /// Returns the model of these weights, or what is wrong with them.
    pub(super) fn new(shape: &Shape, weights: Weights<'_>) -> Result<Bert, String> {
        let width = shape.width;
        if shape.n_heads == 0 || width == 0 || !width.is_multiple_of(shape.n_heads) {
            return Err(format!("{width} numbers do not divide into {} heads", shape.n_heads));
        }
        let linear = |name: &str, out: usize, from: usize| -> Result<Linear, String> {
            let weight = weights.table(&format!("{name}.weight"), Some(out), from)?;
            Ok(Linear { weight, bias: weights.row(&format!("{name}.bias"), out)? })
        };
        let norm = |name: &str| -> Result<Norm, String> {
            let weight = weights.row(&format!("{name}.LayerNorm.weight"), width)?;
            let bias = weights.row(&format!("{name}.LayerNorm.bias"), width)?;
            Ok(Norm { weight, bias, epsilon: shape.epsilon })
        };
        let layer = |n: usize| -> Result<Layer, String> {
            let name = |part: &str| format!("encoder.layer.{n}.{part}");
            Ok(Layer {
                query: linear(&name("attention.self.query"), width, width)?,
                key: linear(&name("attention.self.key"), width, width)?,
                value: linear(&name("attention.self.value"), width, width)?,
                attended: linear(&name("attention.output.dense"), width, width)?,
                attended_norm: norm(&name("attention.output"))?,
                inner: linear(&name("intermediate.dense"), shape.inner_width, width)?,
                outer: linear(&name("output.dense"), width, shape.inner_width)?,
                outer_norm: norm(&name("output"))?,
            })
        };
        let kinds = weights.table("embeddings.token_type_embeddings.weight", None, width)?;
        Ok(Bert {
            words: weights.table("embeddings.word_embeddings.weight", None, width)?,
            positions: weights.table("embeddings.position_embeddings.weight", Some(shape.n_positions), width)?,
            kind: kinds.rows().into_iter().next().ok_or("there are no kinds of texts")?.to_owned(),
            norm: norm("embeddings")?,
            layers: (0..shape.n_layers).map(layer).collect::<Result<_, _>>()?,
            n_heads: shape.n_heads,
        })
    }

    /// Returns how many pieces of words it knows.
    pub(super) fn n_words(&self) -> usize {
        self.words.nrows()
    }

    /// Returns a vector for each piece; there are no more pieces than positions.
    pub(super) fn forward(&self, ids: &[u32]) -> Array2<f32> {
        let mut hidden = Array2::zeros((ids.len(), self.words.ncols()));
        for ((mut row, id), position) in hidden.rows_mut().into_iter().zip(ids).zip(self.positions.rows()) {
            row += &self.words.row(*id as usize);
            row += &position;
            row += &self.kind;
        }
        self.norm.apply(&mut hidden);
        for layer in &self.layers {
            let mut attended = layer.attended.apply(self.attend(layer, &hidden).view());
            attended += &hidden;
            layer.attended_norm.apply(&mut attended);
            let mut inner = layer.inner.apply(attended.view());
            inner.mapv_inplace(gelu);
            hidden = layer.outer.apply(inner.view());
            hidden += &attended;
            layer.outer_norm.apply(&mut hidden);
        }
        hidden
    }

    /// What every piece takes from the others.
    fn attend(&self, layer: &Layer, hidden: &Array2<f32>) -> Array2<f32> {
        let made = |linear: &Linear| linear.apply(hidden.view());
        let (query, key, value) = (made(&layer.query), made(&layer.key), made(&layer.value));
        let head_width = hidden.ncols() / self.n_heads;
        let scale = 1.0 / (head_width as f32).sqrt();
        let mut out = Array2::zeros(hidden.raw_dim());
        for head in 0..self.n_heads {
            let columns = Slice::from(head * head_width..(head + 1) * head_width);
            let of = |table| part(table, columns);
            let mut shares = of(&query).dot(&of(&key).t());
            for mut row in shares.rows_mut() {
                row *= scale;
                let max = row.fold(f32::NEG_INFINITY, |max, one| max.max(*one));
                row.mapv_inplace(|one| (one - max).exp());
                let sum = row.sum();
                row /= sum;
            }
            out.slice_axis_mut(Axis(1), columns).assign(&shares.dot(&of(&value)));
        }
        out
    }
}

fn part(table: &Array2<f32>, columns: Slice) -> ArrayView2<'_, f32> {
    table.slice_axis(Axis(1), columns)
}

impl Linear {
    fn apply(&self, input: ArrayView2<'_, f32>) -> Array2<f32> {
        let mut out = input.dot(&self.weight.t());
        out += &self.bias;
        out
    }
}

impl Norm {
    /// Brings every row to mean 0 and spread 1, then to what was learned.
    fn apply(&self, table: &mut Array2<f32>) {
        let n = table.ncols() as f32;
        for mut row in table.axis_iter_mut(Axis(0)) {
            let mean = row.sum() / n;
            let spread = spread(row.view(), mean) / n;
            let scale = 1.0 / (spread + self.epsilon).sqrt();
            Zip::from(&mut row)
                .and(&self.weight)
                .and(&self.bias)
                .for_each(|one, weight, bias| *one = (*one - mean) * scale * weight + bias);
        }
    }
}

fn spread(row: ArrayView1<'_, f32>, mean: f32) -> f32 {
    row.fold(0.0, |sum, one| sum + (one - mean) * (one - mean))
}

/// The smooth step that BERT uses, by the error function.
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// The error function, to 1.5e-7 (Abramowitz and Stegun 7.1.26).
fn erf(x: f32) -> f32 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
    let sum = ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_7) * t - 0.284_496_74) * t + 0.254_829_6) * t;
    (1.0 - sum * (-x * x).exp()).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_function_is_that_of_the_tables() {
        for (x, expected) in [(0.0, 0.0), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (-2.0, -0.995_322_3)] {
            assert!((erf(x) - expected).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn a_norm_centres_and_scales() {
        let norm = Norm { weight: Array1::ones(2), bias: Array1::from_vec(vec![0.0, 1.0]), epsilon: 1e-12 };
        let mut table = ndarray::array![[1.0, 3.0]];
        norm.apply(&mut table);
        assert_eq!(table, ndarray::array![[-1.0, 2.0]]);
    }
}
